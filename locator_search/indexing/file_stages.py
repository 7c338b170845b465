"""The five stages of one file: fetched, read, summarised, embedded, and written to the index."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from locator_search.core.computing import COMPUTING
from locator_search.core.usage import metered
from locator_search.indexing.entry import (
    ENTRY_VERSION,
    EmbeddedFile,
    FileEmbedder,
    analyse_chunks,
    make_entry,
    of_headings,
    of_summary,
    of_text,
)
from locator_search.indexing.model_outages import together
from locator_search.indexing.reading import Content, ContentChanged, Reader, content_of, copied_into
from locator_search.indexing.stages import Fact, GroupedWrites, Stage
from locator_search.indexing.summaries import Summarised, Summariser
from locator_search.model import Extraction, FileRef, StandIn
from locator_search.ports import Chunker, Clock, DocumentSource, Embedder, FileLocks, IndexStore, KnownFile
from locator_search.text.normalise import text_key

PREVIEW_LENGTH = 200


class NoTextError(Exception):
    """The extraction ended without text that may be indexed."""

    def __init__(self, extraction: Extraction) -> None:
        super().__init__(extraction.state)
        self.extraction = extraction


@dataclass
class FileWork:
    """One file under way; each stage leaves its result here for the next."""

    file: FileRef
    known: KnownFile | None
    directory: Path
    locks: ExitStack
    again: bool = False
    alone: bool = True
    attempts: int = 0
    words_first: bool = False
    content: Content = field(init=False)
    extraction: Extraction = field(init=False)
    cached: bool = field(init=False)
    """Whether the text was known before."""
    summarised: Summarised = field(init=False)
    embedded: EmbeddedFile = field(init=False)

    @property
    def is_first(self) -> bool:
        """Whether neither the file nor a copy of its type was read before, so that the index has nothing of it that
        could be used again; what was paid for under another type is remembered all the same."""
        return not self.cached and self.known is not None and self.known.content_hash is None


class FileStages:
    """Performs the stages; each takes what the ones before it left in the work and returns its facts. Thread-safe."""

    def __init__(
        self,
        *,
        source: DocumentSource,
        reader: Reader,
        chunker: Chunker,
        summariser: Summariser,
        embedder: Embedder,
        index: IndexStore,
        locks: FileLocks,
        clock: Clock,
    ) -> None:
        self._source = source
        self._reader = reader
        self._chunker = chunker
        self.summariser = summariser
        self._embedder = embedder
        self._file_embedder = FileEmbedder(embedder, clock)
        self._index = index
        self.writes = GroupedWrites(lambda entries: index.replace_many(entries, self.version))
        self._locks = locks
        self.perform: Mapping[Stage, Callable[[FileWork], dict[str, Fact]]] = {
            "drive_file": self._fetch,
            "extracted_text": self._extract,
            "file_summary": self._summarise,
            "file_embedding": self._embed,
            "drive_file_index": self._store,
        }

    @property
    def version(self) -> str:
        """Changes when the same file would be indexed differently: parsers, chunker, prompt, models, entry."""
        made_by = (self._reader.version, self._chunker.version, self.summariser.version, f"entry-{ENTRY_VERSION}")
        return " ".join((*made_by, self.summariser.model_name, self._embedder.model_name))

    def refuse_another_model(self) -> None:
        """Raise DimensionMismatch when the index was made with another embedding model."""
        self._index.refuse_another_model(self._embedder.model_name, self._embedder.dimensions)

    @property
    def a_model_is_out(self) -> bool:
        """Whether one of the models is not asked at present, because it kept failing."""
        return self.summariser.is_out or self._file_embedder.is_out

    def _fetch(self, work: FileWork) -> dict[str, Fact]:
        kept = self._kept_content(work.file, work.known)
        work.content = kept or content_of(self._source.read(work.file, work.directory))
        # Copies of one content wait for each other: the first is read and summarised, the others find it remembered.
        work.locks.enter_context(self._locks.hold(f"content:{work.content.sha256}"))
        return {
            "file_name": work.file.file_name,
            "folder": work.file.folder_path,
            "mime_type": work.file.mime_type,
            "bytes": work.content.stamp[0],
            "modified_at": work.file.modified_at.isoformat(),
            "sha256": work.content.sha256,
            "read_as": "remembered" if kept else work.content.path.suffix.lstrip("."),
            "link": work.file.link,
        }

    def _kept_content(self, file: FileRef, known: KnownFile | None) -> Content | None:
        """The content that was indexed, when only name or place changed and its text is remembered: no need to read it.

        A revision says so by the part before its `/`.
        """
        if known is None or known.state != "indexed" or not known.content_hash or "/" not in file.revision:
            return None
        if (known.done_revision or "").partition("/")[0] != file.revision.partition("/")[0]:
            return None
        if not self._reader.remembers(known.content_hash, file.mime_type):
            return None
        return Content(Path(), known.content_hash, (file.size or 0, 0, 0))

    def _extract(self, work: FileWork) -> dict[str, Fact]:
        try:
            self._read(work)
        except ContentChanged:
            work.content = copied_into(work.directory, work.content)
            self._read(work)
        if not work.extraction.readable:
            raise NoTextError(work.extraction)
        document = work.extraction.document
        return {
            "state": work.extraction.state,
            "characters": len(document.text),
            "pages": document.page_count or 0,
            "cached": work.cached,
            "preview": document.text[:PREVIEW_LENGTH],
        }

    def _read(self, work: FileWork) -> None:
        work.extraction, work.cached = self._reader.read(
            work.content, work.file.mime_type, again=work.again, alone=work.alone
        )

    def _summarise(self, work: FileWork) -> dict[str, Fact]:
        text = work.extraction.document.text
        with metered() as meter:
            work.summarised = made = self.summariser.summarise(text, attempts=work.attempts, again=work.again)
        facts: dict[str, Fact] = {
            "summary": made.summary.summary,
            "keywords": ", ".join(made.summary.keywords),
            "model": made.model_name,
            "cached": made.remembered,
            "calls": meter.total.calls,
            "tokens": meter.total.tokens,
            "cost_usd": meter.total.cost_usd,
        }
        if made.stand_in is not None:
            facts |= {"stands_in_for": self.summariser.model_name, **_problem(made.problem, made.stand_in)}
        return facts

    def _embed(self, work: FileWork) -> dict[str, Fact]:
        embedder = self._embedder
        kept = {} if work.is_first else self._index.chunk_embeddings(work.content.sha256, embedder.model_name)
        with COMPUTING:
            chunks = self._chunker.chunk(work.extraction.document)
        terms = analyse_chunks(chunks)  # now, while other files wait for the model, not after the last embeddings
        with metered() as meter:
            parts = (work.file, work.summarised.summary, chunks, terms, kept)
            work.embedded = made = (
                self._file_embedder.without_asking(*parts)
                if work.words_first
                else self._file_embedder.embed(*parts, work.attempts)
            )
        facts: dict[str, Fact] = {
            "chunks": len(chunks),
            "reused": sum(chunk.text in kept for chunk in chunks),
            "model": embedder.model_name,
            "dimensions": embedder.dimensions,
            "tokens": meter.total.tokens,
            "cost_usd": meter.total.cost_usd,
        }
        if made.problem and made.stand_in is not None:
            facts |= _problem(made.problem, made.stand_in)
        elif made.stand_in is not None:
            facts["waits"] = "Words find the file; its vectors are made after the words of all files."
        return facts

    def _store(self, work: FileWork) -> dict[str, Fact]:
        with COMPUTING:
            whole = work.extraction.state == "ok"
            entry = make_entry(
                work.file,
                work.summarised.summary,
                work.embedded,
                content_hash=work.content.sha256,
                parser_version=self._reader.version,
                chunker_version=self._chunker.version,
                embedding_model=self._embedder.model_name,
                chat_model=work.summarised.model_name,
                metadata=of_text(work.extraction)
                | of_headings(work.file, work.extraction.document)
                | of_summary(stands_in=work.summarised.stand_in is not None),
                summary_key=work.summarised.key,
                stand_in=together(work.summarised.stand_in, work.embedded.stand_in),
                text_key=(text_key(work.extraction.document.text) if whole else None) or work.content.sha256,
            )
        work.locks.close()  # a copy finds everything remembered by now, and need not wait for the group
        self.writes.write(entry)
        chunks = len(entry.chunks)
        return {"file_name": work.file.file_name, "state": "indexed", "chunks": chunks, "link": work.file.link}


def _problem(problem: str, stand_in: StandIn) -> dict[str, Fact]:
    """The fault of a model, and when it is asked again."""
    again = stand_in.next_try_at.isoformat() if stand_in.next_try_at else "never by itself"
    return {"problem": problem, "asked_again_at": again}
