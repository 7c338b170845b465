"""The steps of the search that a language model, the index and the source take.

The answers of the model are cut to size here and judged by `policy`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar
from zoneinfo import ZoneInfo

from pydantic import BaseModel

from locator_search.config.synonyms import with_dictionary
from locator_search.core.model_results import KEYWORDS_ONLY, ModelResult
from locator_search.drive_search import prompts
from locator_search.drive_search.effects import (
    BeginAnew,
    CountHits,
    ExtractKeywords,
    FindUnread,
    RelaxKeywords,
    Rerank,
    Retrieve,
    Rewrite,
    RewrittenQuery,
    Verify,
    WordQuestion,
)
from locator_search.drive_search.flow import Handlers
from locator_search.drive_search.messages import Sentences
from locator_search.drive_search.reports import as_checked
from locator_search.llm.question_models import QuestionChatModel, embed_question, retrieve_or_words
from locator_search.locales import Language
from locator_search.model import Evidence, FileRef, Retrieval, RetrievalQuery, UnreadFile, UnreadMatches
from locator_search.ports import AccessChecker, Clock, Embedder, IndexStore, Prompt, UnreadReader, VersionReader
from locator_search.retrieval.grouping import files_of, folded, left_of
from locator_search.retrieval.hybrid import SNIPPETS
from locator_search.text.snippets import make_snippet

if TYPE_CHECKING:
    from locator_search.config.settings import Settings
    from locator_search.model import Vector

Answer = TypeVar("Answer", bound=BaseModel)
Read = TypeVar("Read")

MOST_KEYWORDS = 5
MOST_UNREAD = 5
"""Files that could not be read and are named with an answer."""
LONGEST_QUESTION = 120
"""Characters of a narrowing question."""


class ModelSteps:
    """Asks the chat model of one question, in one language. Each result says who answered."""

    def __init__(self, chat_model: QuestionChatModel, language: Language) -> None:
        self._chat_model = chat_model
        self._language = language

    def handlers(self) -> Handlers:
        """The functions that perform the effects of models."""
        return {
            ExtractKeywords: self.extract_keywords,
            WordQuestion: self.word_question,
            Rerank: self.rerank,
            Rewrite: self.rewrite,
            RelaxKeywords: self.relax_keywords,
        }

    def extract_keywords(self, effect: ExtractKeywords) -> ModelResult[tuple[str, ...] | None]:
        """At most five keywords, none blank."""
        prompt = prompts.keywords_prompt(effect, self._language)
        return self._asked(prompt, lambda answer: _keywords(answer.keywords))

    def word_question(self, effect: WordQuestion) -> ModelResult[str | None]:
        """One question on one line."""
        prompt = prompts.question_prompt(effect, self._language)
        return self._asked(prompt, lambda answer: " ".join(answer.question.split())[:LONGEST_QUESTION] or None)

    def rerank(self, effect: Rerank) -> ModelResult[tuple[str, ...] | None]:
        """The ids as the model ordered them, invented ones among them."""
        prompt = prompts.rerank_prompt(effect, self._language)
        return self._asked(prompt, lambda answer: tuple(answer.file_ids))

    def rewrite(self, effect: Rewrite) -> ModelResult[RewrittenQuery | None]:
        """A better query and at most five keywords."""
        prompt = prompts.rewrite_prompt(effect, self._language)
        return self._asked(
            prompt,
            lambda answer: RewrittenQuery(
                " ".join(answer.query.split()) or effect.question, _keywords(answer.keywords)
            ),
        )

    def relax_keywords(self, effect: RelaxKeywords) -> ModelResult[tuple[str, ...] | None]:
        """The keywords the model would keep."""
        prompt = prompts.relax_prompt(effect, self._language)
        return self._asked(prompt, lambda answer: tuple(answer.keywords))

    def _asked(self, prompt: Prompt[Answer], read: Callable[[Answer], Read]) -> ModelResult[Read | None]:
        result = self._chat_model.ask(prompt)
        value = None if result.value is None else read(result.value)
        return ModelResult(value, result.model, result.failure)


class IndexSteps:
    """Asks the index of one question, and the source about the files that are to be shown."""

    def __init__(
        self,
        index: IndexStore,
        versions: VersionReader,
        unread: UnreadReader,
        embedder: Embedder,
        access_checker: AccessChecker,
        settings: Settings,
        language: Language,
        clock: Clock,
    ) -> None:
        self._clock = clock
        self._index = index
        self._versions = versions
        self._embedder = embedder
        self._access_checker = access_checker
        self._unread = unread
        self._settings = settings
        self._language = language
        self._hits: tuple[RetrievalQuery, tuple[str, ...]] | None = None

    def handlers(self) -> Handlers:
        """The functions that perform the effects of retrieval."""
        return {
            Retrieve: self.retrieve,
            CountHits: self.count_hits,
            Verify: self.verify,
            BeginAnew: lambda _: True,
            FindUnread: self.find_unread,
        }

    def retrieve(self, effect: Retrieve) -> ModelResult[Retrieval]:
        """One retrieval, its versions and copies folded."""
        query = self._with_dictionary(replace(effect.query, unit="document"))
        embedded = self._embedded(query)
        result = retrieve_or_words(self._index, query, embedded)
        found = result.value
        self._hits = effect.query, found.hits
        shown = folded(found.evidence, self._versions, query.query)
        # The index looks for the best place of so many files; those behind them moved up.
        behind = {item.file_id for item in found.evidence[SNIPPETS:]}
        evidence = tuple(_with_snippet(item, query) if item.file_id in behind else item for item in shown)
        return replace(result, value=replace(found, evidence=evidence, hits=()))

    def count_hits(self, effect: CountHits) -> int:
        """Among the hits of the retrieval before, which is made again where another process made it."""
        if self._hits is None or self._hits[0] != effect.query:
            self.retrieve(Retrieve(effect.query))
        return self._index.count_among(self._hits[1], effect.filters) if self._hits else 0

    def _with_dictionary(self, query: RetrievalQuery) -> RetrievalQuery:
        """The query with the dictionary as it is now."""
        return replace(query, matching=with_dictionary(query.matching, self._settings))

    def _embedded(self, query: RetrievalQuery) -> ModelResult[Vector | None]:
        if query.mode == "keyword":
            return ModelResult(None, KEYWORDS_ONLY)
        added = [word for word in query.keywords if word not in query.query]
        return embed_question(self._embedder, " ".join([query.query, *added]), query.matching.ignored)

    def verify(self, effect: Verify) -> tuple[Evidence, ...]:
        """The files shown are asked about first, then those folded under them. Where the shown one of a group is gone,
        the next one comes forward."""
        confirmed = checked_now(self._access_checker, files_of(effect.evidence), self._clock)
        checked = {item.file_id: item for item in confirmed}
        return tuple(left for item in effect.evidence for left in left_of(item, checked))

    def find_unread(self, effect: FindUnread) -> UnreadMatches:
        """Those the question names come first. What the source no longer shows is left out."""
        query = self._with_dictionary(effect.query)
        as_asked = replace(query, query=effect.question, filters=effect.set_by_person)
        found = {} if as_asked == query else _by_id(self._unread.matching(as_asked, MOST_UNREAD), named=True)
        found |= _by_id(self._unread.matching(query, MOST_UNREAD)) | found
        checked = self._access_checker.check([as_evidence(one.file) for one in found.values()], names_alone=True)
        say, zone = Sentences.of(self._language), ZoneInfo(self._settings.locator_time_zone)
        files = [as_checked(found[item.file_id], item, say, zone) for item in checked]
        files.sort(key=lambda file: not file.named)
        return UnreadMatches(tuple(files[:MOST_UNREAD]), self._unread.coverage())


def checked_now(checker: AccessChecker, evidence: Sequence[Evidence], clock: Clock) -> list[Evidence]:
    """The results that the source lets be shown, with the time at which it was confirmed."""
    checked, now = checker.check(evidence), clock.now()
    return [replace(item, checked_at=now if item.verified else None) for item in checked]


def as_evidence(of: FileRef) -> Evidence:
    """The file in the form in which a source is asked whether it may be shown."""
    return Evidence(
        file_id=of.file_id,
        file_name=of.file_name,
        summary="",
        link=of.link,
        mime_type=of.mime_type,
        modified_at=of.modified_at,
        similarity=0.0,
        score=0.0,
        folder_path=of.folder_path,
        location=of.location,
        revision=of.revision,
        source=of.source,
    )


def _by_id(files: Sequence[UnreadFile], *, named: bool = False) -> dict[str, UnreadFile]:
    return {one.file.file_id: one for one in files if one.named or not named}


def _keywords(words: list[str]) -> tuple[str, ...]:
    cleaned = (" ".join(word.split()) for word in words)
    return tuple(dict.fromkeys(word for word in cleaned if word))[:MOST_KEYWORDS]


def _with_snippet(evidence: Evidence, query: RetrievalQuery) -> Evidence:
    marked = f"{query.query} {query.also_marked}".strip()
    snippet = make_snippet(evidence.text or evidence.summary, marked, matching=query.matching)
    return replace(evidence, snippet=snippet.text, highlights=snippet.highlights)
