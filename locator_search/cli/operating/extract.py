"""`document-locator extract`: what the index would see of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.shared.output import JsonFlag, console, emit_json, error_console, reports_errors
from locator_search.core.errors import ConfigurationError, LocatorError, ReadingInterrupted, SourceError
from locator_search.locales import Language
from locator_search.model import Document, Extraction

if TYPE_CHECKING:
    from locator_search.ports import TextExtractor

_AT_A_TIME = 2  # as many as the extractor has workers


@dataclass(frozen=True, slots=True)
class _Input:
    """A file to read, and its path below the folder it was named through."""

    path: Path
    relative: Path


@reports_errors
def extract(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Files, or folders with everything below.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write NAME.txt and NAME.json per file here.")
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Show the text and the state of files as the index would see them. Form feeds part the pages.

    Example: document-locator extract samples --out texts
    """
    from locator_search.app.locator import open_locator

    inputs = list(_inputs(paths, out))
    _refuse_collisions(inputs, out)
    reports: list[dict[str, object]] = []
    with open_locator() as locator, ThreadPoolExecutor(_AT_A_TIME) as pool:
        for file, extraction in zip(
            inputs, pool.map(lambda file: _extract(locator.extractor, file), inputs), strict=True
        ):
            report = _report(file, extraction)
            if out is not None:
                _write(out / file.relative, report)
            if json_output:
                reports.append(report)
            else:
                _show(report, locator.settings.locator_language, with_text=out is None)
    if json_output:
        emit_json({"files": reports})


def _inputs(paths: Iterable[Path], out: Path | None) -> Iterator[_Input]:
    for path in paths:
        if path.is_dir():
            for file in sorted(path.rglob("*")):
                if file.is_file() and (out is None or out.absolute() not in file.absolute().parents):
                    yield _Input(file, _shown(file.relative_to(path)))
        elif path.exists():
            yield _Input(path, _shown(Path(path.name)))
        else:
            raise ConfigurationError(f"{path} does not exist.", hint="Name files or folders.")


def _shown(path: Path) -> Path:
    """A path whose names are no UTF-8 as people read it: in CP932, as old shares and archives bring them."""
    from locator_search.app.locator import shown_path

    return Path(shown_path(str(path)))


def _refuse_collisions(inputs: list[_Input], out: Path | None) -> None:
    first: dict[Path, Path] = {}
    for file in inputs if out is not None else ():
        other = first.setdefault(file.relative, file.path)
        if other != file.path:
            message = f"{other} and {file.path} would both be written to {file.relative}.txt."
            raise ConfigurationError(message, hint="Extract them into folders of their own.")


def _extract(extractor: TextExtractor, file: _Input) -> Extraction:
    """A file that vanished or may not be read is reported like the others and does not end the command."""
    try:
        return extractor.extract(file.path)
    except SourceError as error:
        return Extraction("corrupt", Document((), "application/octet-stream"), error.message)
    except ReadingInterrupted as error:
        return Extraction("killed", Document((), "application/octet-stream"), error.message)


def _report(file: _Input, extraction: Extraction) -> dict[str, object]:
    return {
        "path": str(_shown(file.path)),
        "state": extraction.state,
        "reason": extraction.reason,
        "text": extraction.document.text if extraction.readable else "",
        "pages": extraction.document.page_count,
        "mime_type": extraction.document.mime_type,
        "seconds": round(extraction.seconds, 3),
    }


def _write(target: Path, report: dict[str, object]) -> None:
    import json

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        text_file = target.with_name(f"{target.name}.txt")
        if report["text"]:
            text_file.write_text(str(report["text"]), encoding="utf-8", newline="")
        else:
            text_file.unlink(missing_ok=True)
        described = json.dumps(report, ensure_ascii=False, indent=2)
        target.with_name(f"{target.name}.json").write_text(described + "\n", encoding="utf-8")
    except OSError as error:
        raise LocatorError(
            f"{error.filename} cannot be written: {error.strerror}.", hint="Choose another --out."
        ) from None


def _show(report: dict[str, object], language: Language, *, with_text: bool) -> None:
    from locator_search.cli.operating.texts import OperatingTexts
    from locator_search.locales import Common
    from locator_search.locales.reasons import reason_text
    from locator_search.locales.said import told

    say, pages = OperatingTexts.of(language), report["pages"]
    line = say.extracted.format(
        path=report["path"],
        state=say.extracted_well if report["state"] == "ok" else reason_text(str(report["state"]), language).words,
        pages=say.extracted_pages.format(pages) if isinstance(pages, int) else "",
        seconds=report["seconds"],
    )
    error_console.print(line)
    if report["reason"]:
        error_console.print(f"  {Common.of(language).recorded}: {told(str(report['reason']), language)}")
    if with_text and report["text"]:
        console.out(report["text"], highlight=False)
