"""A folder in an index of its own, and its questions put to the whole search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from locator_search.app.locator import Locator
from locator_search.config.settings import Settings
from locator_search.drive_search.facets import narrowed_by
from locator_search.drive_search.questions import SearchOptions
from locator_search.evaluation.flow import FlowAnswer, ask_flow
from locator_search.evaluation.flow_dataset import FlowQuestion
from locator_search.model import Choice, FileRef, RetrievalQuery, SearchFilters

FILES_AT_ONCE = 4


@contextmanager
def scratch_locator(settings: Settings, folder: Path) -> Iterator[Locator]:
    """The product over one local folder, in tables of its own that are dropped at the end."""
    from locator_search.adapters.postgres.server.scratch import scratch_database

    local = {"locator_folders": (str(folder),), "locator_folder_names": (), "google_drive_target_folder_ids": ()}
    with (
        scratch_database(settings) as database,
        Locator(settings.model_copy(update=local), database.schema) as locator,
    ):
        yield locator


def index_folder(locator: Locator, on_indexed: Callable[[int], None]) -> list[FileRef]:
    """Index every file of the source, embeddings and all; `on_indexed` hears how many are done. Returns the files that
    were listed."""
    files = list(locator.source.sweep().files())
    locator.registry.record_listing(files, locator.clock.now())
    with ThreadPoolExecutor(FILES_AT_ONCE) as pool:
        for count, _ in enumerate(pool.map(partial(locator.indexer.index_file, again=True), files), start=1):
            on_indexed(count)
    return files


def ask_index(locator: Locator, files: Sequence[FileRef], questions: Sequence[FlowQuestion]) -> Iterator[FlowAnswer]:
    """Every question put to the search over the indexed `files`, one after the other."""
    by_path = {"/".join([*file.folder_path.split("/")[1:], file.file_name]): file for file in files}

    def holds(choice: Choice, path: str) -> bool:
        """Whether a choice lets the file pass, asked of the index itself, which alone knows what its filters do."""
        file = by_path.get(path)
        if file is None:
            return False
        filters = narrowed_by(SearchFilters(file_ids=(file.file_id,)), choice)
        query = RetrievalQuery(file.file_name, (), filters, 0.0, limit=1, mode="keyword", with_facets=False)
        return bool(locator.index.retrieve(query, None).evidence)

    options = SearchOptions(surface="evaluation")
    return ask_flow(questions, lambda text: locator.drive_search.start(text, options=options), holds)
