"""Summaries at half price: questions go to the model service as batches, and the answers are remembered.

Nothing else knows of batches: a crawl finds the answers in the memo, and has nothing to pay for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from locator_search.core.errors import LocatorError, ModelUnavailable
from locator_search.core.temporary import temporary_folder
from locator_search.indexing import prompts
from locator_search.indexing.batch_parts import WAITING_REASON, BatchPart, Collected, collected, waits_until
from locator_search.indexing.memo import MemoisedChatModel
from locator_search.indexing.pipeline import Indexer
from locator_search.llm.answers import SummaryAnswer
from locator_search.model import FileRef
from locator_search.ports import (
    AnswerMemo,
    BatchLog,
    BatchService,
    Clock,
    FileRegistry,
    OnProgress,
    Prompt,
    WaitingBatch,
)

if TYPE_CHECKING:
    from locator_search.llm.budget import Budget

READ_AT_ONCE = 5
LOOKS_EVERY_SECONDS = 60.0


class SummaryBatches:
    """Hands over questions and collects answers. One process at a time: the crawl lock sees to that."""

    def __init__(
        self,
        *,
        service: BatchService,
        indexer: Indexer,
        chat_model: MemoisedChatModel,
        log: BatchLog,
        memo: AnswerMemo,
        registry: FileRegistry,
        budget: Budget,
        clock: Clock,
    ) -> None:
        self._service = service
        self._indexer = indexer
        self._chat_model = chat_model
        self._log = log
        self._memo = memo
        self._registry = registry
        self._budget = budget
        self._clock = clock

    def waiting(self) -> list[WaitingBatch]:
        """Batches that have not been collected."""
        return self._log.waiting()

    # Collecting

    def collect(self, tell: OnProgress) -> set[str]:
        """Remember the answers of every batch that has ended; its files wait no longer. Returns the ids of files whose
        question failed, which another batch would not help."""
        failed: set[str] = set()
        for batch in self._log.waiting():
            batch_id = batch.batch_id or self._adopted(batch)
            progress = self._service.progress(batch_id) if batch_id else None
            if batch_id is None or progress is None:
                self._end_without_answers(batch, "lost")
                tell(f"A batch of {batch.requests} questions is not known to the model service; its files go on.")
            elif not progress.ending:
                tell(
                    f"{batch.files} files wait for {batch_id}: {progress.done} of {batch.requests} questions are done."
                )
            else:
                found = collected(
                    self._service.answers(batch_id, batch.model, SummaryAnswer),
                    set(self._log.keys(batch.number).values()),
                )
                failed |= self._keep(batch, progress.ending, found)
                tell(_in_words(batch_id, progress.ending, progress.problem, found))
                self._service.forget(batch_id)
        return failed

    def wait(self, tell: OnProgress) -> None:
        """Until no batch is under way any more."""
        while running := [batch for batch in self._log.waiting() if self._runs(batch)]:
            tell(f"Waiting for {len(running)} batches, {sum(batch.files for batch in running)} files.")
            self._clock.sleep(LOOKS_EVERY_SECONDS)

    def _runs(self, batch: WaitingBatch) -> bool:
        progress = self._service.progress(batch.batch_id) if batch.batch_id else None
        return progress is not None and not progress.ending

    def _adopted(self, batch: WaitingBatch) -> str | None:
        """A process died between submitting and saying so: the service knows whether it had come that far."""
        batch_id = self._service.find(batch.token)
        if batch_id is not None:
            self._log.submitted(batch.number, batch_id)
        return batch_id

    def _keep(self, batch: WaitingBatch, ending: str, found: Collected) -> set[str]:
        for key, answer in found.answered.items():
            self._memo.put(
                key,
                task=batch.task,
                prompt_version=batch.prompt_version,
                model=batch.model,
                answer=answer.answer or "",
                usage=answer.usage,
            )
        failed = {file_id for file_id, key in self._log.keys(batch.number).items() if key in found.failed}
        self._release(batch)
        if found.usage.calls:
            self._budget.paid(batch.task, batch.model, found.usage)
        self._log.end(batch.number, ending, len(found.answered), self._clock.now())
        return failed

    def _end_without_answers(self, batch: WaitingBatch, ending: str) -> None:
        self._release(batch)
        self._log.end(batch.number, ending, 0, self._clock.now())

    def _release(self, batch: WaitingBatch) -> None:
        """Its files are due again, except for those that changed meanwhile and wait for another batch, too."""
        others = [other.number for other in self.waiting() if other.number != batch.number]
        still_waiting = {file_id for number in others for file_id in self._log.keys(number)}
        file_ids = [file_id for file_id in self._log.keys(batch.number) if file_id not in still_waiting]
        for file_id, known in self._registry.known(file_ids=file_ids).items():
            if known.state == "pending":
                self._registry.set_state(file_id, "pending")

    # Handing over

    def hand_over(self, files: Sequence[FileRef], tell: OnProgress) -> list[str]:
        """Ask what has to be asked about some files. Returns the ids of those that wait for no answer.

        Raises BudgetExhausted when the next batch could go beyond the ceiling, and what the service raises.
        """
        ready: list[str] = []
        with temporary_folder() as directory:
            for part, path in self._parts(files, ready, Path(directory)):
                self._submit(part, path, {file.file_id: file for file in files}, tell)
        return ready

    def _parts(self, files: Sequence[FileRef], ready: list[str], directory: Path) -> Iterator[tuple[BatchPart, Path]]:
        """The questions about files, in batches, each with its lines in a file. Others come into `ready`, unless their
        question is under way already."""
        under_way = {key: batch.number for batch in self.waiting() for key in self._log.keys(batch.number).values()}
        part, path = BatchPart(), directory / "questions.jsonl"
        for file, prompt in self._questions(files):
            key = "" if prompt is None else self._chat_model.key_of(prompt)
            if prompt is None:
                ready.append(file.file_id)
            elif key in under_way:
                self._log.join(under_way[key], file.file_id, key)
                self._let_wait(file)
            else:
                question = self._service.question(key, prompt)
                if key not in part.asked and part.is_full_for(question):
                    yield part, path
                    under_way |= dict.fromkeys(part.asked, self.waiting()[-1].number)
                    part = BatchPart()
                with path.open("ab" if part.asked else "wb") as lines:
                    lines.write(b"" if key in part.asked else question.line)
                part.ask(file.file_id, key, question)
        if part.asked:
            yield part, path

    def _questions(self, files: Sequence[FileRef]) -> Iterator[tuple[FileRef, Prompt[SummaryAnswer] | None]]:
        """Several files are read at a time, and no more of them once nobody asks on."""
        pool = ThreadPoolExecutor(READ_AT_ONCE)
        try:
            yield from zip(files, pool.map(self._indexer.open_question, files), strict=True)
        finally:
            pool.shutdown(cancel_futures=True)

    def _submit(self, part: BatchPart, path: Path, files: Mapping[str, FileRef], tell: OnProgress) -> None:
        """Entered before it is submitted, so that a process that dies in between leaves no second one behind."""
        with self._budget.reserved(self._chat_model.model_name, part.at_most_usd):
            batch = self._log.prepare(
                model=self._chat_model.model_name,
                task="summarise",
                prompt_version=prompts.SUMMARY_VERSION,
                keys=part.keys,
                estimated_usd=part.at_most_usd or 0.0,
                now=self._clock.now(),
            )
        for file_id in part.keys:
            self._let_wait(files[file_id])
        try:
            batch_id = self._service.submit(path, batch.token)
        except ModelUnavailable:
            raise  # it may have arrived all the same: the next crawl asks
        except LocatorError:
            self._end_without_answers(batch, "refused")
            raise
        self._log.submitted(batch.number, batch_id)
        cost = "at a price this program does not know"
        if part.at_most_usd is not None:
            cost = f"${part.at_most_usd:.4f} at most"
        tell(f"{len(part.keys)} files wait for {batch_id}: {len(part.asked)} questions, {cost}.")

    def _let_wait(self, file: FileRef) -> None:
        self._registry.set_state(
            file.file_id,
            "pending",
            reason=WAITING_REASON,
            revision=file.revision,
            pipeline_version=self._indexer.version,
            next_try_at=waits_until(self._clock.now()),
        )


def _in_words(batch_id: str, ending: str, problem: str, found: Collected) -> str:
    line = f"{batch_id} {ending}: {len(found.answered)} answers, ${found.usage.cost_usd:.4f}."
    if problem:
        line += f" The service says {problem}."
    if found.failed:
        reasons = ", ".join(sorted(set(found.failed.values())))
        line += f" {len(found.failed)} questions failed and are asked live: the answer {reasons}."
    if found.expired:
        line += f" {len(found.expired)} questions were not answered and can be asked again."
    return line
