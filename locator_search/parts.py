"""What stands behind each part of the product, each tried at the moment of asking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from locator_search.errors import LocatorError
from locator_search.model_parts import chat_model_part, embedding_model_part
from locator_search.ports import PartStatus

if TYPE_CHECKING:
    from locator_search.app import Locator


def examine(locator: Locator) -> list[PartStatus]:
    """One status per part; a part that fails is reported with its sentence and hint, never raised."""
    return [_tried(name, test, locator) for name, test in _tests()]


def _tests() -> Iterator[tuple[str, Callable[[Locator], PartStatus]]]:
    yield "database", _database
    yield "source", _source
    yield "chat_model", chat_model_part
    yield "embedding_model", embedding_model_part
    yield "index", _index


def _tried(name: str, test: Callable[[Locator], PartStatus], locator: Locator) -> PartStatus:
    try:
        return test(locator)
    except LocatorError as error:
        return PartStatus(name, "failing", error.message, error.hint)


def _database(locator: Locator) -> PartStatus:
    database = locator.database
    embedded = database.embedded
    where = "embedded server" if embedded else "external server"
    return PartStatus(
        "database",
        "embedded" if embedded else "real",
        f"PostgreSQL {database.server_version()} with pgvector, {where}",
        "Set DATABASE_URL to use a PostgreSQL of your own." if embedded else "",
    )


def _source(locator: Locator) -> PartStatus:
    source = locator.source
    missing = [str(folder) for folder in locator.folders if not folder.is_dir()]
    if missing:
        return PartStatus(
            "source", "missing", f"No such folder: {', '.join(missing)}", "Name existing folders in LOCATOR_FOLDERS."
        )
    return PartStatus("source", "real", f"{source.name}: {', '.join(str(folder) for folder in locator.folders)}")


def _index(locator: Locator) -> PartStatus:
    status = locator.status_reader.status()
    indexed = status.coverage.by_state.get("indexed", 0)
    if not indexed:
        return PartStatus("index", "missing", "No file is indexed yet", "Run `document-locator crawler`.")
    return PartStatus("index", "real", f"{indexed} files, {status.chunks} chunks, made by {status.embedding_model}")
