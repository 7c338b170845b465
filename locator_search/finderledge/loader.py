"""Loads the arguments of a caller (a path, a folder, documents) as documents that can be written."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from locator_search.app.ledger import local_file, local_files, local_path
from locator_search.core.errors import ConfigurationError, LocatorError, SourceError, UnreadableFile
from locator_search.finderledge.documents import is_document, kind_of, storable_metadata, storable_text
from locator_search.indexing.reading import ContentChanged, Reader, content_of
from locator_search.model import FOLDER_MIME_TYPE, Block, Document, FileRef

if TYPE_CHECKING:
    from langchain_core.documents import Document as LangChainDocument

    from locator_search.app.locator import Locator
    from locator_search.model import JsonValue

    Addable: TypeAlias = "str | Path | LangChainDocument | Sequence[str | Path | LangChainDocument]"
    """The argument of `add_document`: the path of a file or folder, a document, or several of them."""

OnSkip = Callable[[str, str], None]
"""Receives the path of a file in a folder that was left out, and why."""

LONGEST_TEXT = 20_000_000
LONGEST_ID = 500
"""Characters."""
PLAIN_TEXT = "text/plain"
SOURCE = "finderledge"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """One document before it is split. `read` gives its text, and raises LocatorError where there is none.

    `version` changes when the text or what is kept beside it changes. `title` counts as a part of every chunk. A file
    that was not asked for by name (`from_folder`) may turn out to be unreadable.
    """

    file: FileRef
    version: str
    metadata: Mapping[str, JsonValue]
    title: str
    read: Callable[[], Document]
    from_folder: bool = False

    @property
    def document_id(self) -> str:
        """The (parent) id, which stays the same when the document is added again."""
        return self.file.file_id


class DocumentLoader:
    """Loads files of every format the product reads, whole folders, and documents that exist already.

    The id of a file is that of its path, so a changed file takes the place of its former version. The id of a document
    is its own, else one made of its text and metadata.
    """

    def __init__(self, locator: Locator) -> None:
        self._locator = locator

    def load(self, path_or_doc: Addable, on_skip: OnSkip | None = None) -> Iterator[LoadedDocument]:
        """Everything behind the argument. Documents are looked at before the first one is given out.

        Raises ConfigurationError for something that cannot be added, SourceError for a path without a file.
        """
        items = path_or_doc if isinstance(path_or_doc, list | tuple) else [path_or_doc]
        loaded = [self._load_one(item, on_skip) for item in items]
        return (document for group in loaded for document in group)

    def _load_one(self, item: object, on_skip: OnSkip | None) -> Iterable[LoadedDocument]:
        if isinstance(item, str | Path):
            return self._of_path(_path(item), on_skip)
        if is_document(item):
            return [loaded_text(item.page_content, item.metadata, getattr(item, "id", None))]  # type: ignore[attr-defined]
        raise ConfigurationError(
            f"FinderLedge cannot add {kind_of(item)}.",
            hint="A path of a file or folder, a Document, or a list of them can be added; texts go into add_texts.",
        )

    def _of_path(self, path: Path, on_skip: OnSkip | None) -> Iterable[LoadedDocument]:
        if path.is_dir():
            return self._of_folder(path, on_skip)
        return [self._of_file(local_file(path))]

    def _of_folder(self, folder: Path, on_skip: OnSkip | None) -> Iterator[LoadedDocument]:
        """Every readable file below a folder; the others are logged, and told to `on_skip`."""
        found = False
        for file in local_files(folder, self._locator.settings):
            if file.mime_type == FOLDER_MIME_TYPE:
                skipped(file, f"The folder {file.file_name} cannot be listed.", on_skip)
                continue
            found = True
            try:
                yield replace(self._of_file(file), from_folder=True)
            except LocatorError as error:
                skipped(file, error.message, on_skip)
        if not found:
            raise SourceError(f"The folder {folder.name or folder} holds no file.", hint="Hidden files are left out.")

    def _of_file(self, file: FileRef) -> LoadedDocument:
        path = local_path(file)
        try:
            content = content_of(path)
        except OSError as error:
            raise SourceError(f"{file.file_name} cannot be read: {error.strerror or error}.") from None
        reader = Reader(self._locator.extractor, self._locator.extraction_memo)

        def read() -> Document:
            try:
                extraction, _ = reader.read(content, file.mime_type)
            except ContentChanged:
                raise UnreadableFile(f"{file.file_name} was written to while it was read.") from None
            if not extraction.readable:
                raise UnreadableFile(
                    f"{file.file_name} gave no text: {(extraction.reason or extraction.state).rstrip('.')}."
                )
            return extraction.document

        metadata: dict[str, JsonValue] = {
            "source": f"{file.folder_path}/{file.file_name}",
            "file_name": file.file_name,
            "mime_type": file.mime_type,
            "modified_at": file.modified_at.isoformat(),
        }
        title = Path(file.file_name).stem
        return LoadedDocument(file, _version(content.sha256, reader.version, title), metadata, title, read)


def loaded_texts(
    texts: Iterable[str], metadatas: Sequence[Mapping[str, Any]] | None, ids: Sequence[str | None] | None
) -> list[LoadedDocument]:
    """Documents of texts, with what is beside them. Raises ConfigurationError where the lengths differ."""
    if isinstance(texts, str):
        raise ConfigurationError("add_texts takes a list of texts.", hint="Put the text into a list.")
    texts = list(texts)
    for name, beside in (("metadatas", metadatas), ("ids", ids)):
        if beside and len(beside) != len(texts):
            raise ConfigurationError(f"{name} has {len(beside)} entries for {len(texts)} texts.")
    nothing = [None] * len(texts)
    return [loaded_text(*each) for each in zip(texts, metadatas or nothing, ids or nothing, strict=True)]


def loaded_text(text: object, metadata: Mapping[str, Any] | None, document_id: object = None) -> LoadedDocument:
    """A document of a text. Raises ConfigurationError when it is empty, too long, or its id is none."""
    named = f" {document_id!r}" if document_id is not None else ""
    if not isinstance(text, str):
        raise ConfigurationError(f"The content of the document{named} is {kind_of(text)} and no text.")
    kept = storable_text(text)
    if not kept.strip():
        raise ConfigurationError(f"The document{named} is empty.", hint="A document needs at least one character.")
    if len(kept) > LONGEST_TEXT:
        raise ConfigurationError(
            f"The document{named} has {len(kept):,} characters; at most {LONGEST_TEXT:,} can be added at once.",
            hint="Cut it into parts.",
        )
    beside = storable_metadata(metadata or {})
    version = _version(kept, json.dumps(beside, sort_keys=True))
    title = str(beside.get("title") or "")
    id_ = _accepted_id(document_id) if document_id is not None else f"text:{version[:32]}"
    file = FileRef(
        file_id=id_,
        file_name=title or id_,
        source=SOURCE,
        mime_type=PLAIN_TEXT,
        modified_at=datetime.now(UTC),
        revision=version,
        link="",
    )
    blocks = (Block("paragraph", kept),)
    return LoadedDocument(file, version, beside, title, lambda: Document(blocks, PLAIN_TEXT))


def skipped(file: FileRef, reason: str, on_skip: OnSkip | None) -> None:
    """Say that a file of a folder was left out. `reason` is a sentence that names the file."""
    logger.warning("Left out: %s", reason)
    if on_skip is not None:
        on_skip(f"{file.folder_path}/{file.file_name}", reason)


def _path(given: str | Path) -> Path:
    hint = "Give the path of a file or folder; text itself goes into add_texts or a Document."
    try:
        path = Path(given).expanduser()
        exists = path.exists()
    except (OSError, ValueError, RuntimeError):
        exists = False
    if not exists or not str(given).strip():
        shown = str(given) if len(str(given)) <= 80 else f"{str(given)[:80]}..."
        raise SourceError(f"There is no file or folder named {shown!r}.", hint=hint)
    return path


def _accepted_id(document_id: object) -> str:
    if not isinstance(document_id, str) or not document_id.strip() or len(document_id) > LONGEST_ID:
        raise ConfigurationError(
            f"{str(document_id)[:80]!r} cannot be the id of a document.",
            hint=f"An id is a text of 1 to {LONGEST_ID} characters.",
        )
    if storable_text(document_id) != document_id:
        raise ConfigurationError("The id of a document holds a character that cannot be kept.")
    return document_id


def _version(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()
