"""Adds imports that the contracts forbid to every module of the library, to those of its core one after the other too,
and names the modules in which the linter does not see them.

python -m tests.unit.forbidden_imports
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from copy import deepcopy

from importlinter import configuration
from importlinter.application import use_cases
from importlinter.domain.contract import Contract, registry

LAYERS, VENDORS, SURFACES = (
    "Layers of the library",
    "Vendor packages stay in adapters",
    "The library knows neither Dagster nor Streamlit",
)
FORBIDDEN = (
    (LAYERS, "locator_search.cli.main", ("cli",)),
    (VENDORS, "psycopg", ("adapters", "dev")),
    (SURFACES, "dagster", ("cli",)),
)
"""Contracts, an import that each forbids, and the rooms that may do it."""

CORE = "locator_search.core."
PURE = "Pure: no I/O, no clock, no randomness"


def main() -> int:
    """The number of modules in which a forbidden import went unseen, each of them printed."""
    configuration.configure()
    options = use_cases.read_user_options("pyproject.toml")
    use_cases._register_contract_types(options)
    graph = use_cases._build_graph(
        root_package_names=options.session_options["root_packages"],
        cache_dir=None,
        include_external_packages=True,
        exclude_type_checking_imports=True,
        verbose=False,
    )
    of_contract = {each["name"]: each for each in options.contracts_options}

    def contract(name: str) -> Contract:
        each = of_contract[name]
        return registry.get_contract_class(each["type"])(name, options.session_options, each)

    def named(name: str, imported: str, modules: Collection[str]) -> set[str]:
        """Those of the modules that the linter names when all of them import what they must not."""
        worse = deepcopy(graph)
        for module in modules:
            worse.add_import(importer=module, imported=imported, line_number=1, line_contents=f"import {imported}")
        told = str(contract(name).check(worse, verbose=False).metadata)
        return {module for module in modules if f"'importer': '{module}'" in told}

    def unseen(name: str, imported: str, modules: Collection[str]) -> Iterator[str]:
        alone = {module for module in modules if module.startswith(CORE) and not named(name, imported, {module})}
        for module in sorted(alone | set(modules) - named(name, imported, modules)):
            yield f"{module} may import {imported}, and {name!r} is kept."

    library = {module for module in graph.modules if module.startswith("locator_search.")}
    complaints = [*unseen(PURE, "socket", of_contract[PURE]["source_modules"])]
    for name, imported, may in FORBIDDEN:
        complaints += unseen(name, imported, {module for module in library if module.split(".")[1] not in may})
    print("\n".join((*complaints, f"{len(library)} modules tried.")))
    return len(complaints)


if __name__ == "__main__":
    sys.exit(bool(main()))
