"""One file through the five stages. Everything costly is remembered, so doing it again is free."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Semaphore
from typing import Literal

from locator_search.answers import SummaryAnswer
from locator_search.errors import (
    AccessDenied,
    BudgetExhausted,
    ConfigurationError,
    DimensionMismatch,
    ExtractionError,
    FileGone,
    QuotaUsedUp,
    SchemaOutOfDate,
    StoreUnavailable,
    UnsupportedFileType,
)
from locator_search.indexing.content import Content, content_of, copied_into
from locator_search.indexing.diff import is_due, is_settled, waits_for_batch
from locator_search.indexing.endings import Endings
from locator_search.indexing.entry import EmbeddedFile, analyse_chunks, embed_file, make_entry, of_text
from locator_search.indexing.memo import MemoisedChatModel
from locator_search.indexing.prompts import SUMMARY_VERSION, summary_prompt
from locator_search.indexing.reading import ContentChanged, Reader
from locator_search.indexing.stages import STAGES, Fact, FileResult, Stage, StageLog
from locator_search.metering import metered
from locator_search.model import Document, Extraction, ExtractionState, FileRef, FileSummary
from locator_search.ports import (
    Chunker,
    Clock,
    DocumentSource,
    Embedder,
    ExtractionMemo,
    FileLocks,
    FileRegistry,
    IndexStore,
    KnownFile,
    Prompt,
    TextExtractor,
)
from locator_search.text.truncate import truncate_at_sentence

ENTRY_VERSION = "2"
"""Of the way an index entry is put together; a new one indexes every file anew."""
PREVIEW_LENGTH = 200
ENTRIES_AT_ONCE = 2
"""More computing threads would make those wait that keep the model busy: Python runs one of them at a time."""
SUMMARIES_AT_ONCE = 6
"""One more than there are slots for requests, so that none is idle and what else needs one does not wait long."""

NOT_ABOUT_ONE_FILE = (
    BudgetExhausted,
    ConfigurationError,
    QuotaUsedUp,
    StoreUnavailable,
    SchemaOutOfDate,
    DimensionMismatch,
)


class _NoTextError(Exception):
    """The extraction ended without text that may be indexed."""

    def __init__(self, extraction: Extraction) -> None:
        super().__init__(extraction.state)
        self.extraction = extraction


@dataclass
class _Work:
    """One file under way; each stage leaves its result here for the next."""

    file: FileRef
    known: KnownFile | None
    again: bool
    directory: Path
    locks: ExitStack
    content: Content = field(init=False)
    extraction: Extraction = field(init=False)
    summary: FileSummary = field(init=False)
    embedded: EmbeddedFile = field(init=False)


class Indexer:
    """Indexes one file at a time; safe to call from several threads and processes at once."""

    def __init__(
        self,
        *,
        source: DocumentSource,
        extractor: TextExtractor,
        chunker: Chunker,
        chat_model: MemoisedChatModel,
        embedder: Embedder,
        registry: FileRegistry,
        index: IndexStore,
        extraction_memo: ExtractionMemo,
        locks: FileLocks,
        clock: Clock,
        summary_max_length: int = 400,
        language: Literal["ja", "en"] = "ja",
    ) -> None:
        self._source = source
        self._reader = Reader(extractor, extraction_memo)
        self._chunker = chunker
        self._chat_model = chat_model
        self._embedder = embedder
        self._registry = registry
        self._index = index
        self._locks = locks
        self._clock = clock
        self._summary_max_length = summary_max_length
        self._summaries = Semaphore(SUMMARIES_AT_ONCE)
        self._computing = Semaphore(ENTRIES_AT_ONCE)
        self._language: Literal["ja", "en"] = language
        self._steps: Mapping[Stage, Callable[[_Work, dict[str, Fact]], None]] = {
            "drive_file": self._fetch,
            "extracted_text": self._extract,
            "file_summary": self._summarise,
            "file_embedding": self._embed,
            "drive_file_index": self._store,
        }

    @property
    def version(self) -> str:
        """Changes when the same file would be indexed differently: parsers, chunker, prompt, models, entry."""
        summary = f"summary-{SUMMARY_VERSION}/{self._summary_max_length}/{self._language}"
        made_by = (self._reader.version, self._chunker.version, summary, f"entry-{ENTRY_VERSION}")
        return " ".join((*made_by, self._chat_model.model_name, self._embedder.model_name))

    def index_file(
        self, file: FileRef, *, until: Stage = STAGES[-1], again: bool = False, verify: bool = False
    ) -> FileResult:
        """Take a file through the stages up to `until`. One that waits for a batch is left alone, unless a person asks
        (`again`), and so is a settled one, unless

        - `again`: a person asks, so content that gave no text is tried once more;
        - `verify`: its content is hashed, and it is left alone when that is what was indexed.

        Never raises for a bad file. Raises BudgetExhausted, ConfigurationError, QuotaUsedUp, StoreUnavailable,
        SchemaOutOfDate and DimensionMismatch: those are about every file.
        """
        with self._locks.hold(f"file:{file.file_id}"):
            now = self._clock.now()
            known = self._registry.known(file_ids=[file.file_id]).get(file.file_id)
            if known is None:
                self._registry.record_listing([file], now)
            elif is_due(known, now):
                again = True
            elif not again and self._is_left_alone(known, file, now, verify=verify):
                return FileResult(file, "unchanged", reason=known.state)
            return self._work_on(file, known, until, again=again, verify=verify)

    def _is_left_alone(self, known: KnownFile, file: FileRef, now: datetime, *, verify: bool) -> bool:
        if waits_for_batch(known, file, self.version, now):
            return True
        return not verify and is_settled(known, file, self.version, now)

    def open_question(self, file: FileRef) -> Prompt[SummaryAnswer] | None:
        """What the model has to be asked to index a file. None where the answer is remembered, or where no text is to
        be had: `index_file` says why. Raises what is about every file.
        """
        with self._locks.hold(f"file:{file.file_id}"), TemporaryDirectory(prefix="locator-") as directory:
            known = self._registry.known(file_ids=[file.file_id]).get(file.file_id)
            with ExitStack() as locks:
                work = _Work(file, known, False, Path(directory), locks)
                try:
                    self._fetch(work, {})
                    self._extract(work, {})
                except NOT_ABOUT_ONE_FILE:
                    raise
                except Exception:  # whatever one file does
                    return None
        prompt = self._summary_prompt(work)
        return prompt if self._chat_model.recall(prompt) is None else None

    def _work_on(
        self, file: FileRef, known: KnownFile | None, until: Stage, *, again: bool, verify: bool
    ) -> FileResult:
        log = StageLog(STAGES)
        try:
            with TemporaryDirectory(prefix="locator-") as directory, ExitStack() as locks:
                work = _Work(file, None if again or verify else known, again, Path(directory), locks)
                for stage in STAGES[: STAGES.index(until) + 1]:
                    with log.stage(stage) as facts:
                        self._steps[stage](work, facts)
                    if verify and stage == "drive_file" and self._is_indexed(known, work):
                        return FileResult(file, "unchanged", tuple(log.reports))
            return FileResult(file, "indexed" if until == STAGES[-1] else "stopped", tuple(log.reports))
        except (FileGone, FileNotFoundError):
            self._registry.let_go([file.file_id])
            return FileResult(file, "gone", tuple(log.reports), "removed since it was listed", log.next_stage)
        except (AccessDenied, PermissionError) as error:
            return self._endings(log).no_access(file, error)
        except _NoTextError as no_text:
            return self._endings(log).no_text(file, known, work.content.sha256, no_text.extraction)
        except ExtractionError as error:  # the source knows that no text is to be had
            state: ExtractionState = "unsupported" if isinstance(error, UnsupportedFileType) else "too-large"
            extraction = Extraction(state, Document((), file.mime_type), error.message)
            return self._endings(log).no_text(file, known, None, extraction)
        except NOT_ABOUT_ONE_FILE:
            raise
        except Exception as error:  # whatever one file does, the others are indexed
            return self._endings(log).failure(file, known, error)

    # The stages

    def _fetch(self, work: _Work, facts: dict[str, Fact]) -> None:
        kept = self._kept_content(work.file, work.known)
        work.content = kept or content_of(self._source.read(work.file, work.directory))
        # Copies of one content wait for each other: the first is read and summarised, the others find it remembered.
        work.locks.enter_context(self._locks.hold(f"content:{work.content.sha256}"))
        facts.update(
            file_name=work.file.file_name,
            folder=work.file.folder_path,
            mime_type=work.file.mime_type,
            bytes=work.content.stamp[0],
            modified_at=work.file.modified_at.isoformat(),
            sha256=work.content.sha256,
            read_as="remembered" if kept else work.content.path.suffix.lstrip("."),
            link=work.file.link,
        )

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

    def _extract(self, work: _Work, facts: dict[str, Fact]) -> None:
        try:
            work.extraction, cached = self._reader.read(work.content, work.file.mime_type, again=work.again)
        except ContentChanged:
            work.content = copied_into(work.directory, work.content)
            work.extraction, cached = self._reader.read(work.content, work.file.mime_type, again=work.again)
        if not work.extraction.readable:
            raise _NoTextError(work.extraction)
        text = work.extraction.document.text
        facts.update(
            state=work.extraction.state,
            characters=len(text),
            pages=work.extraction.document.page_count or 0,
            cached=cached,
            preview=text[:PREVIEW_LENGTH],
        )

    def _summarise(self, work: _Work, facts: dict[str, Fact]) -> None:
        prompt = self._summary_prompt(work)
        remembered = self._chat_model.recall(prompt)
        with metered() as meter:
            answer = remembered or self._ask(prompt)
        keywords = tuple(dict.fromkeys(keyword.strip() for keyword in answer.keywords if keyword.strip()))[:5]
        work.summary = FileSummary(truncate_at_sentence(answer.summary, self._summary_max_length), keywords)
        facts.update(
            summary=work.summary.summary,
            keywords=", ".join(keywords),
            model=self._chat_model.model_name,
            cached=remembered is not None,
            tokens=meter.total.tokens,
            cost_usd=meter.total.cost_usd,
        )

    def _summary_prompt(self, work: _Work) -> Prompt[SummaryAnswer]:
        return summary_prompt(work.extraction.document.text, self._summary_max_length, self._language)

    def _ask(self, prompt: Prompt[SummaryAnswer]) -> SummaryAnswer:
        with self._summaries:
            return self._chat_model.answer(prompt)

    def _embed(self, work: _Work, facts: dict[str, Fact]) -> None:
        chunks = self._chunker.chunk(work.extraction.document)
        kept = self._index.chunk_embeddings(work.content.sha256, self._embedder.model_name)
        with self._computing:  # now, while others wait for the model, and not when the last embeddings have come
            terms = analyse_chunks(chunks)
        with metered() as meter:
            work.embedded = embed_file(work.file, work.summary, chunks, terms, kept, self._embedder)
        facts.update(
            chunks=len(chunks),
            reused=sum(chunk.text in kept for chunk in chunks),
            model=self._embedder.model_name,
            dimensions=self._embedder.dimensions,
            tokens=meter.total.tokens,
            cost_usd=meter.total.cost_usd,
        )

    def _store(self, work: _Work, facts: dict[str, Fact]) -> None:
        with self._computing:
            entry = make_entry(
                work.file,
                work.summary,
                work.embedded,
                content_hash=work.content.sha256,
                parser_version=self._reader.version,
                chunker_version=self._chunker.version,
                embedding_model=self._embedder.model_name,
                chat_model=self._chat_model.model_name,
                metadata=of_text(work.extraction),
            )
            self._index.replace(entry, self.version)
        facts.update(file_name=work.file.file_name, state="indexed", chunks=len(entry.chunks), link=work.file.link)

    def _endings(self, log: StageLog[Stage]) -> Endings:
        return Endings(self._registry, self._index, self._clock.now(), self.version, log)

    def _is_indexed(self, known: KnownFile | None, work: _Work) -> bool:
        """Whether exactly this content is in the index already, by the present pipeline."""
        return (
            known is not None
            and known.state == "indexed"
            and known.content_hash == work.content.sha256
            and known.done_revision == work.file.revision
            and known.pipeline_version == self.version
        )
