"""Every sentence that the program's own code can put before a person, read out of its source.

Whatever an error is given, and what reads like a sentence wherever it stands. What is written for others is left out by
kind: logs, Dagster's own pages, models, programmers who misuse a class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import regex

ROOT = Path(__file__).parents[2]
ROOMS = ("locator_search", "locator_assets", "streamlit_app")
FOR_OTHERS = {
    "locator_search/dev/": "it answers as Google does, in Google's words",
    "locator_search/finderledge/": "a library: its errors reach programmers, as those of Python do",
    "locator_search/adapters/ledger_stores/": "the stores of that library",
    "locator_search/locales/files.py": "a locale file is faulty, so its sentences cannot be used",
    "locator_search/health/metrics.py": "the help of figures, which Prometheus reads",
    "locator_search/adapters/live_servers/syntaxes.py": "models read how queries are written",
    "locator_search/adapters/live_servers/mock_data.py": "made-up documents",
    "locator_search/mcp_server/texts.py": "models read what tools are for, in both languages",
    "locator_search/adapters/openai_models/chat_model.py": "instructions to a model",
    "locator_search/retrieval/metadata_filters.py": "filters of that library",
    "locator_assets/drive/": "Dagster's own pages, which are English",
    "locator_assets/staged/": "Dagster's own pages",
    "locator_assets/contributions/": "Dagster's own pages",
    "locator_assets/x_sessions.py": "Dagster's own pages",
    "prompts.py": "instructions to a model",
    "tool.py": "a tool as a model reads of it",
}
"""Parts of the program, or names of modules, that write for somebody else, and for whom."""
CALLS_FOR_OTHERS = regex.compile(
    r"logger\.\w+|log\.\w+|logging\.\w+"  # whoever keeps the program
    r"|dg\.\w+|\w+\.report_run_\w+"  # Dagster's own pages, which are English
    r"|typer\.(?:Option|Argument|Typer)|\w+\.add_parser|argparse\.\w+"  # --help says both languages at once
    r"|server\.(?:tool|prompt|resource)|Prompt|Field"  # models
    r"|AttributeError|TypeError|RuntimeError|NotImplementedError|ValueError"  # wrong use of a class in Python
    r"|(?:re|regex)\.\w+|sql\.\w+|\w+\.execute|Markup"  # no sentences
)
CLASS = regex.compile(r"(?:\w+\.)*_?[A-Z]\w*")
COMMAND = regex.compile(r"(?:document-locator|pip install) .*")
VALIDATED = ("locator_search/config/", "locator_search/adapters/mcp_services/", "locator_search/core/reader.py")
"""Here a ValueError is what Pydantic tells of a file or a setting."""
SENTENCE = regex.compile(r"\s*(?:\p{Lu}|\{).*[.?!:]\s*", regex.DOTALL)
WORD = regex.compile(r"(?<![\w{/.-])[A-Za-z][a-z']+(?![\w}/])")
"""A word of a language, and no name of a setting, a file or a value."""


class Sentence(NamedTuple):
    """One sentence, with `{name}` where a value stands, and its place."""

    words: str
    place: str


def sentences() -> Iterator[Sentence]:
    """All of them, once each."""
    trees = {path: ast.parse(path.read_text("utf-8")) for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))}
    errors = _errors(trees.values())
    seen: set[str] = set()
    for path, tree in trees.items():
        name = path.relative_to(ROOT).as_posix()
        if any(name.startswith(part) or name.rpartition("/")[2] == part for part in FOR_OTHERS):
            continue
        for words, line in _of_module(tree, errors, validates=name.startswith(VALIDATED)):
            if words not in seen:
                seen.add(words)
                yield Sentence(words, f"{name}:{line}")


def _errors(trees: Iterable[ast.Module]) -> set[str]:
    """The names of all classes that come from LocatorError."""
    bases: dict[str, set[str]] = {}
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.ClassDef):
            bases.setdefault(node.name, set()).update(ast.unparse(base) for base in node.bases)
    found = {"LocatorError"}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return found


def _of_module(tree: ast.Module, errors: set[str], *, validates: bool) -> Iterator[tuple[str, int]]:
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        words = _words(node)
        if (
            words is None
            or COMMAND.fullmatch(words)
            or isinstance(above[node], ast.Expr | ast.JoinedStr | ast.FormattedValue)
        ):
            continue
        around = list(_around(node, above))
        calls = [ast.unparse(one.func) for one in around if isinstance(one, ast.Call)]
        if validates and any(isinstance(one, ast.Raise) for one in around):
            calls = ["validated" if call == "ValueError" else call for call in calls]
        if any(CALLS_FOR_OTHERS.fullmatch(call) for call in calls):
            continue
        own = [call for call in calls if call in errors or not CLASS.fullmatch(call)]
        is_said = (bool(own) and isinstance(around[-1], ast.Raise)) or any(call in errors for call in calls)
        if len(WORD.findall(words)) >= (2 if is_said else 3) and (is_said or SENTENCE.fullmatch(words)):
            yield words.strip(), node.lineno  # type: ignore[attr-defined]  # a literal has a line


def _around(node: ast.AST, above: Mapping[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    """The nodes a literal stands in, up to its statement."""
    while not isinstance(node, ast.stmt):
        node = above[node]
        yield node


def _words(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return None
    return "".join(
        str(one.value) if isinstance(one, ast.Constant) else f"{{{_name(ast.unparse(one.value))}}}"
        for one in node.values
        if isinstance(one, ast.Constant | ast.FormattedValue)
    )


def _name(expression: str) -> str:
    """A name for a value, out of the last word of the expression it is."""
    words = regex.findall(r"[A-Za-z]\w*", regex.sub(r"\([^()]*\)|'[^']*'", "", expression))
    return words[-1].lower() if words else "value"
