"""One contribution through its stages: bodies, normalised documents, chunks, index. Doing it again is cheap.

Each stage leaves its result where the next one finds it: bodies and normalised files on disk, documents in the store,
chunks and embeddings in the index. A process that dies at any point loses at most the stage it was in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from locator_search.contributions.acquisition import ArchiveUnavailable
from locator_search.contributions.entries import ENTRY_VERSION, cut_documents, entry_of
from locator_search.contributions.normalisation import Normaliser
from locator_search.contributions.stages import (
    CONTRIBUTION_STAGES,
    ContributionResult,
    ContributionStage,
    Ending,
)
from locator_search.core.errors import AccessDenied, FileGone, LocatorError, SourceUnavailable, UnreadableFile
from locator_search.core.masking import mask
from locator_search.indexing.stages import NOT_ABOUT_ONE_FILE, Fact, StageLog
from locator_search.model import Chunk
from locator_search.ports import (
    ChunkingStrategy,
    Clock,
    Contribution,
    ContributionFile,
    ContributionStore,
    DocumentState,
    Embedder,
    FileLocks,
    IndexStore,
    KnownContribution,
    NormalisedDocument,
)

LONGEST_REASON = 300
TRIES = 3
"""The number of failures after which a contribution waits for somebody to ask."""


_CODES: tuple[tuple[type[Exception], str], ...] = (
    (FileGone, "gone"),
    (AccessDenied, "no-access"),
    (UnreadableFile, "too-large"),  # what an archive says of a body beyond the limit
    (SourceUnavailable, "unavailable"),
)


class BodySource(Protocol):
    """Where the bodies of a contribution come from."""

    def fetch(self, contribution_id: str) -> list[ContributionFile]:
        """The files of a contribution with their bodies here. Raises SourceError."""
        ...


class _SetAside(Exception):  # noqa: N818 - an ending
    """Raised when a contribution has nothing to index. The message is the reason: `code` or `code: detail`."""


@dataclass
class _Work:
    """One contribution under way; each stage leaves its result here for the next."""

    contribution: Contribution
    again: bool
    files: list[ContributionFile] = field(default_factory=list)
    documents: list[NormalisedDocument] = field(default_factory=list)
    chunks: dict[str, list[Chunk]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class ContributionPipeline:
    """Takes one contribution at a time through the stages; safe to call from several threads and processes at once."""

    bodies: BodySource
    normaliser: Normaliser
    strategy: ChunkingStrategy
    embedder: Embedder
    store: ContributionStore
    index: IndexStore
    locks: FileLocks
    clock: Clock

    @property
    def version(self) -> str:
        """Changes when the same contribution would be indexed differently: normaliser, chunking, model, entry."""
        return " ".join((self.normaliser.version, self.strategy.version, self.embedder.model_name, ENTRY_VERSION))

    def is_due(self, known: KnownContribution) -> bool:
        """Whether there is something to be done for a contribution: new, changed, failed, or of another pipeline."""
        if known.state == "failed" and known.attempts >= TRIES:
            return known.pipeline_version != self.version
        return not self._is_settled(known)

    def _is_settled(self, known: KnownContribution) -> bool:
        return known.state in ("indexed", "skipped") and known.pipeline_version == self.version

    def process(
        self, contribution_id: str, *, until: ContributionStage = CONTRIBUTION_STAGES[-1], again: bool = False
    ) -> ContributionResult:
        """Take a contribution through the stages up to `until`. What the present pipeline indexed or set aside is left
        alone unless a person asks (`again`).

        Never raises for a bad contribution. Raises LocatorError for an unknown one, and what is about all of them.
        """
        with self.locks.hold(f"contribution:{contribution_id}"):
            known = next(iter(self.store.contributions(contribution_ids=[contribution_id])), None)
            if known is None:
                raise LocatorError(f"No contribution {contribution_id} is known.", hint="Sync its meeting first.")
            if self._is_settled(known) and not again:
                return ContributionResult(known.contribution, "unchanged", reason=known.state)
            return self._work_on(_Work(known.contribution, again), until)

    def _work_on(self, work: _Work, until: ContributionStage) -> ContributionResult:
        log = StageLog(CONTRIBUTION_STAGES)
        try:
            steps = (self._archive, self._normalise, self._chunk, self._index_documents)
            for stage, step in zip(CONTRIBUTION_STAGES, steps, strict=True):
                with log.stage(stage) as facts:
                    step(work, facts)
                if stage == until:
                    break
        except (*NOT_ABOUT_ONE_FILE, ArchiveUnavailable):
            raise
        except _SetAside as error:
            return self._ended(work, log, "skipped", str(error))
        except Exception as error:  # whatever one contribution does, the others are indexed
            return self._ended(work, log, "failed", _reason(error))
        ending: Ending = "indexed" if until == CONTRIBUTION_STAGES[-1] else "stopped"
        return ContributionResult(work.contribution, ending, tuple(log.reports), documents=_states(work.documents))

    def _ended(self, work: _Work, log: StageLog[ContributionStage], ending: Ending, reason: str) -> ContributionResult:
        """Take what was indexed before out of the index, unless only the archive did not answer."""
        contribution_id = work.contribution.contribution_id
        withdrawn = ending == "skipped" or reason.startswith(("gone", "no-access"))
        if log.next_stage != "contribution_archive" or withdrawn:
            self.index.delete([document.document_id for document in self.store.documents(contribution_id)])
        self.store.set_state(
            contribution_id,
            "skipped" if ending == "skipped" else "failed",
            reason=reason,
            pipeline_version=self.version,
        )
        documents = _states(work.documents)
        return ContributionResult(work.contribution, ending, tuple(log.reports), reason, log.next_stage, documents)

    # The stages

    def _archive(self, work: _Work, facts: dict[str, Fact]) -> None:
        contribution_id = work.contribution.contribution_id
        work.files = self.bodies.fetch(contribution_id)
        if not work.files:
            raise _SetAside("no-file")
        self.store.set_state(contribution_id, "archived")
        facts.update(
            number=work.contribution.number,
            meeting=work.contribution.meeting_id,
            title=work.contribution.title,
            files=", ".join(file.name for file in work.files),
            bytes=sum(file.size or 0 for file in work.files),
            sha256=" ".join(str(file.sha256) for file in work.files),
        )

    def _normalise(self, work: _Work, facts: dict[str, Fact]) -> None:
        contribution_id = work.contribution.contribution_id
        known = self.store.documents(contribution_id)
        work.documents = self.normaliser.normalise(work.contribution, work.files, known, again=work.again)
        gone = self.store.replace_documents(contribution_id, work.documents)
        self.index.delete(gone)
        readable = [document for document in work.documents if document.readable]
        if not readable:
            raise _SetAside(_why_nothing(work.documents))
        self.store.set_state(contribution_id, "normalised")
        facts.update(
            documents=len(work.documents),
            readable=len(readable),
            converted=sum(document.converted for document in readable),
            characters=sum(len(document.document.text) for document in readable),
            pages=sum(document.document.page_count or 0 for document in readable),
            pages_from=", ".join(sorted({document.pages for document in readable})),
            tracked_changes=sum(len(block.changes) for one in readable for block in one.document.blocks),
            problems=" ".join(f"{one.source_file}: {one.reason}" for one in work.documents if one.reason)[:1000],
        )

    def _chunk(self, work: _Work, facts: dict[str, Fact]) -> None:
        work.chunks = cut_documents(work.documents, self.strategy)
        if not any(work.chunks.values()):
            raise _SetAside("empty")
        chunks = [chunk for found in work.chunks.values() for chunk in found]
        facts.update(
            chunks=len(chunks),
            strategy=self.strategy.version,
            clauses=len({chunk.clause for chunk in chunks if chunk.clause}),
            changed=sum(bool(chunk.changes) for chunk in chunks),
        )

    def _index_documents(self, work: _Work, facts: dict[str, Fact]) -> None:
        now = self.clock.now()
        entries = [
            entry_of(
                work.contribution,
                document,
                work.chunks[document.document_id],
                modified_at=max((file.modified_at for file in work.files if file.modified_at), default=now),
                strategy_version=self.strategy.version,
                embedder=self.embedder,
            )
            for document in work.documents
            if document.document_id in work.chunks
        ]
        self.index.delete([one.document_id for one in work.documents if one.document_id not in work.chunks])
        self.index.replace_many(entries, self.version)
        chunk_count = sum(len(entry.chunks) for entry in entries)
        self.store.set_state(
            work.contribution.contribution_id, "indexed", pipeline_version=self.version, chunk_count=chunk_count
        )
        facts.update(state="indexed", documents=len(entries), chunks=chunk_count, model=self.embedder.model_name)


def _states(documents: list[NormalisedDocument]) -> tuple[DocumentState, ...]:
    return tuple(
        DocumentState(one.contribution_id, one.source_file, one.state, one.reason, one.pages, one.converted)
        for one in documents
    )


def _why_nothing(documents: list[NormalisedDocument]) -> str:
    reasons = dict.fromkeys(f"{one.file_name}: {one.reason or one.state}" for one in documents)
    return f"unreadable: {' '.join(reasons)}"[:LONGEST_REASON] if reasons else "no-document"


def _reason(error: Exception) -> str:
    words = error.message if isinstance(error, LocatorError) else mask(f"{type(error).__name__}: {error}")
    code = next((f"{code}: " for kind, code in _CODES if isinstance(error, kind)), "")
    return " ".join(f"{code}{words}".split())[:LONGEST_REASON]
