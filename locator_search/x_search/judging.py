"""What posts are worth: embedded, compared with the question, reranked, scored, and answered from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from locator_search.core.errors import ConfigurationError, LocatorError, ModelError, StoreError
from locator_search.core.model_results import failure_of, without_chat_model
from locator_search.ports.x.posts import SMALLEST_PAGE
from locator_search.ports.x.sessions import AnswerSentence
from locator_search.retrieval.calibration import shipped_calibration
from locator_search.x_search import prompts
from locator_search.x_search.answering import grounded, to_read
from locator_search.x_search.folding import near_copies, without_links_and_handles
from locator_search.x_search.messages import sentences
from locator_search.x_search.scoring import scored, to_rerank

if TYPE_CHECKING:
    from locator_search.ports.x.sessions import Session
    from locator_search.ports.x.work import SessionWork
    from locator_search.x_search import effects
    from locator_search.x_search.reporting import Reporter
    from locator_search.x_search.work_parts import Parts

WHOLE_STEP = 1.0
"""A model gets all the time of its step."""
EMBEDDED_AT_ONCE = 96
"""Posts of one request and one transaction."""


class PostJudge:
    """Performs the effects of the phases after the searching."""

    def __init__(self, parts: Parts, session: Session, work: SessionWork, reporter: Reporter) -> None:
        self._parts = parts
        self._session = session
        self._work = work
        self._reporter = reporter
        self._say = sentences(session.language)

    def embed_posts(self, _effect: effects.EmbedPosts) -> int:
        """One batch of those without embedding; how many there were."""
        embedder = self._parts.embedder
        texts = self._work.without_embedding(embedder.model_name, EMBEDDED_AT_ONCE)
        if not texts:
            return 0
        vectors = embedder.embed([_said(text) for text in texts.values()], "document")
        self._work.save_embeddings(embedder.model_name, dict(zip(texts, vectors, strict=True)))
        posts = self._parts.store.get(self._session.session_id, None).posts
        left = self._work.count_without_embedding(embedder.model_name)
        self._reporter.come_to(1 - left / max(posts, 1))
        self._reporter.announce(tuple(texts))
        return len(texts)

    def rank_posts(self, effect: effects.RankPosts) -> int:
        """Embedding scores, and near-copies under the best of them; how many posts there are."""
        question = self._parts.embedder.embed([effect.question], "query")[0]
        calibration = shipped_calibration(self._parts.embedder.model_name)
        similar = {post_id: calibration.similarity(raw) for post_id, raw in self._work.cosines(question).items()}
        texts = {one.post.post_id: one.post.text for one in self._parts.store.posts(self._session.session_id)}
        best_first = sorted(texts, key=lambda post_id: (-similar.get(post_id, 0.0), post_id))
        self._work.save_ranking(similar, near_copies({post_id: texts[post_id] for post_id in best_first}))
        self._reporter.come_to(1.0)
        self._reporter.announce(tuple(best_first))
        return len(texts)

    def rerank_posts(self, effect: effects.RerankPosts) -> None:
        """Once per session: what an earlier worker has scored stays, so that one list has scores of one reranker."""
        if self._parts.store.get(self._session.session_id, None).reranker:
            return
        found = to_rerank(self._parts.store.posts(self._session.session_id))
        reranker, warning = self._parts.reranker, ""
        scores: Sequence[float] = ()
        try:
            scores = reranker.score(effect.question, [_said(one.post.text) for one in found])
        except StoreError:
            raise
        except LocatorError as error:
            failed = isinstance(error, ModelError | ConfigurationError)
            reason = failure_of(error, reranker.name).sentence(self._session.language) if failed else error.message
            warning = self._say.reranker_failed.format(message=reason)
        by_id = {one.post.post_id: score for one, score in zip(found, scores, strict=False)}
        self._work.save_reranking(reranker.name if by_id else "-", by_id, warning)
        self._reporter.come_to(1.0)
        self._reporter.announce(tuple(by_id))

    def save_scores(self, _effect: effects.SaveScores) -> None:
        """Final scores and ranks."""
        self._work.save_scores(scored(self._parts.store.posts(self._session.session_id)))
        self._reporter.come_to(0.5)
        self._reporter.announce(())

    def write_answer(self, effect: effects.WriteAnswer) -> None:
        """The answer with the citations that exist; where the model is silent, its stand-in's and a warning."""
        read = to_read(self._parts.store.posts(self._session.session_id))
        answer: tuple[AnswerSentence, ...] = (AnswerSentence(self._why_nothing()),)
        if read:
            prompt = prompts.answer_prompt(effect.question, read, self._session.language)
            result = self._parts.chat_model.ask(prompt, WHOLE_STEP)
            answer = () if result.value is None else grounded(result.value, read)
            if result.failure is not None and result.model:
                self._work.warn(without_chat_model(result.failure, self._session.language))
            elif result.value is None:
                self._work.warn(self._say.model_silent)
        uncited = sum(not sentence.post_ids for sentence in answer) if read else 0
        if uncited:
            self._work.warn(self._say.uncited.format(count=uncited))
        self._reporter.come_to(1.0)
        self._reporter.flush()
        self._work.finish(answer)

    def _why_nothing(self) -> str:
        if all(query.status == "skipped" for query in self._parts.store.queries(self._session.session_id)):
            return self._say.nothing_bought.format(fewest=SMALLEST_PAGE)
        return self._say.nothing_found


def _said(text: str) -> str:
    return without_links_and_handles(text) or text
