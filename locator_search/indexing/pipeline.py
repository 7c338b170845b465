"""One file through the five stages. Everything costly is remembered, so doing it again is free."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import gettempdir
from threading import main_thread

from locator_search.core.disk import full_disk, is_full
from locator_search.core.errors import (
    AccessDenied,
    FileGone,
    ReadingStopped,
    StoreUnavailable,
    UnreadableFile,
    UnsupportedFileType,
)
from locator_search.core.temporary import temporary_folder
from locator_search.indexing.diff import is_due, is_settled, waits_for_batch
from locator_search.indexing.endings import Endings
from locator_search.indexing.file_stages import FileStages, FileWork, NoTextError
from locator_search.indexing.model_outages import unavailable
from locator_search.indexing.reading import Suspected
from locator_search.indexing.stages import NOT_ABOUT_ONE_FILE, STAGES, FileResult, Stage, StageLog
from locator_search.llm.answers import SummaryAnswer
from locator_search.model import Document, Extraction, ExtractionState, FileRef
from locator_search.ports import (
    Clock,
    FileLocks,
    FileRegistry,
    IndexStore,
    KnownFile,
    Prompt,
)


class Indexer:
    """Indexes one file at a time; safe to call from several threads and processes at once."""

    def __init__(
        self, stages: FileStages, registry: FileRegistry, index: IndexStore, locks: FileLocks, clock: Clock
    ) -> None:
        self._stages = stages
        self._registry = registry
        self._index = index
        self._locks = locks
        self._clock = clock

    @property
    def version(self) -> str:
        """Changes when the same file would be indexed differently."""
        return self._stages.version

    def refuse_another_model(self) -> None:
        """Before any file is fetched: raise DimensionMismatch when the index was made with another embedding model."""
        self._stages.refuse_another_model()

    def index_file(
        self,
        file: FileRef,
        *,
        until: Stage = STAGES[-1],
        again: bool = False,
        verify: bool = False,
        alone: bool = True,
    ) -> FileResult:
        """Take a file through the stages up to `until`. One that waits for a batch is left alone, unless a person asks
        (`again`), and so is a settled one, unless

        - `again`: a person asks, so content that gave no text is tried once more;
        - `verify`: its content is hashed, and it is left alone when that is what was indexed.

        Where others are read at the same time (`alone` off), one whose reading ended a process is postponed.

        Words come first: where vectors would have to be waited for, the file is indexed without them and is due at
        once; the pass after that, which finds its words in the index, asks the model. A person who asks gets both.

        Never raises for a bad file. Raises BudgetExhausted, ConfigurationError, QuotaUsedUp, ReadingStopped,
        StoreUnavailable, SchemaOutOfDate and DimensionMismatch: those are about every file.
        """
        with self._locks.hold(f"file:{file.file_id}"):
            now, version = self._clock.now(), self.version
            words_first, fills_in = not again and until == STAGES[-1], False
            known = self._registry.known(file_ids=[file.file_id]).get(file.file_id)
            if known is None:
                self._registry.record_listing([file], now)
            elif is_due(known, now) and known.state == "indexed":
                if not again and self._waits_for_a_model(known, file):
                    self._registry.postpone(file.file_id, unavailable(known.attempts, now))
                    return FileResult(file, "unchanged", reason="model-unavailable")
                fills_in = words_first and self._has_its_words(known, file)
                verify, words_first = False, words_first and not fills_in
            elif is_due(known, now):
                again = True
            elif not again and (
                waits_for_batch(known, file, version, now) or (not verify and is_settled(known, file, version, now))
            ):
                return FileResult(file, "unchanged", reason=known.state)
            result = self._work_on(file, known, until, again=again, verify=verify, alone=alone, words_first=words_first)
            return result.without_what_was_told() if fills_in else result

    def _waits_for_a_model(self, known: KnownFile, file: FileRef) -> bool:
        """Whether nothing can be done for an indexed file now: only a model's answer is missing, and it is known to be
        out of reach."""
        return self._stages.a_model_is_out and self._has_its_words(known, file)

    def _has_its_words(self, known: KnownFile, file: FileRef) -> bool:
        """Whether the words of this revision are in the index already."""
        return (known.done_revision, known.pipeline_version) == (file.revision, self.version)

    def open_question(self, file: FileRef) -> Prompt[SummaryAnswer] | None:
        """The question the model has to be asked to index a file. None where the answer is remembered (or that there is
        none), or where no text is to be had: `index_file` says why. Raises what is about every file.
        """
        with self._locks.hold(f"file:{file.file_id}"), temporary_folder() as directory:
            known = self._registry.known(file_ids=[file.file_id]).get(file.file_id)
            with ExitStack() as locks:
                work = FileWork(file, known, Path(directory), locks)
                try:
                    for stage in STAGES[:2]:
                        self._stages.perform[stage](work)
                except NOT_ABOUT_ONE_FILE:
                    raise
                except Exception:  # whatever one file does
                    return None
        return self._stages.summariser.question(work.extraction.document.text)

    def _work_on(
        self,
        file: FileRef,
        known: KnownFile | None,
        until: Stage,
        *,
        again: bool,
        verify: bool,
        alone: bool,
        words_first: bool,
    ) -> FileResult:
        log = StageLog(STAGES)
        try:
            with self._stages.writes.under_way(), temporary_folder() as directory, ExitStack() as locks:
                before = None if again or verify else known
                attempts = known.attempts if known is not None and known.state == "indexed" else 0
                work = FileWork(file, before, Path(directory), locks, again, alone, attempts, words_first)
                for stage in STAGES[: STAGES.index(until) + 1]:
                    with log.stage(stage) as facts:
                        facts.update(self._stages.perform[stage](work))
                    if verify and stage == "drive_file" and self._is_indexed(known, work):
                        return FileResult(file, "unchanged", tuple(log.reports))
                    if until == STAGES[-1] and stage == "drive_file" and self._is_refreshed(before, work):
                        return FileResult(file, "unchanged", tuple(log.reports), "indexed")
            return FileResult(file, "indexed" if until == STAGES[-1] else "stopped", tuple(log.reports))
        except (FileGone, FileNotFoundError):
            self._registry.mark_gone([file.file_id])
            return FileResult(file, "gone", tuple(log.reports), "removed since it was listed", log.next_stage)
        except (AccessDenied, PermissionError) as error:
            return self._endings(log).no_access(file, error)
        except Suspected:
            return FileResult(file, "postponed")
        except NoTextError as no_text:
            return self._endings(log).no_text(file, work.content.sha256, no_text.extraction)
        except (UnsupportedFileType, UnreadableFile) as error:  # the source already knows that the file has no text
            state: ExtractionState = "unsupported" if isinstance(error, UnsupportedFileType) else "too-large"
            extraction = Extraction(state, Document((), file.mime_type), error.message)
            return self._endings(log).no_text(file, None, extraction)
        except NOT_ABOUT_ONE_FILE:
            raise
        except Exception as error:  # whatever one file does, the others are indexed
            if not main_thread().is_alive():  # an ending program starts no thread and no process: no fault of the file
                raise ReadingStopped("The program ends.") from None
            if isinstance(error, OSError) and is_full(error):  # a full disk concerns all files
                raise StoreUnavailable(*full_disk(error.filename or gettempdir())) from None
            return self._endings(log).failure(file, known, error)

    def _endings(self, log: StageLog[Stage]) -> Endings:
        return Endings(self._registry, self._clock.now(), self.version, log)

    def _is_refreshed(self, known: KnownFile | None, work: FileWork) -> bool:
        """Whether the index held this content under this name and place, so that its times alone had to be entered: a
        file that was touched, or the copy of a folder on another machine."""
        return (
            known is not None
            and known.state == "indexed"
            and known.next_try_at is None  # otherwise a model is still to be asked again
            and known.content_hash == work.content.sha256
            and known.pipeline_version == self.version
            and self._index.refresh(work.file, work.content.sha256)
        )

    def _is_indexed(self, known: KnownFile | None, work: FileWork) -> bool:
        """Whether exactly this content is in the index already, by the present pipeline."""
        return (
            known is not None
            and known.state == "indexed"
            and known.content_hash == work.content.sha256
            and known.done_revision == work.file.revision
            and known.pipeline_version == self.version
        )
