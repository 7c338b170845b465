"""The phases after the searching: posts are embedded, ranked, reranked and scored, and answer the question."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from locator_search.core.errors import ConfigurationError, LocatorError, ModelError, StoreError
from locator_search.core.model_results import failure_of
from locator_search.locales.model_failures import failure_reason, without_chat_model
from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.posts import SMALLEST_PAGE
from locator_search.ports.x.sessions import AnswerSentence
from locator_search.retrieval.calibration import calibration_of
from locator_search.text.languages import answer_language
from locator_search.x_search.answering import grounded, sentences_of, to_read
from locator_search.x_search.claimed import ClaimedSession
from locator_search.x_search.failures import why_failed
from locator_search.x_search.messages import Sentences
from locator_search.x_search.near_copies import joined_text, near_copies, without_links_and_handles
from locator_search.x_search.prompts import answer_prompt
from locator_search.x_search.scoring import scored, to_rerank

WHOLE_STEP = 1.0
"""A model gets all the time of its step."""
EMBEDDED_AT_ONCE = 96
"""Posts of one request and one transaction."""

logger = logging.getLogger(__name__)


def embed_posts(claimed: ClaimedSession) -> None:
    """Embed the posts that have no embedding yet, batch after batch."""
    embedder, work = claimed.parts.embedder, claimed.work
    while texts := work.without_embedding(embedder.model_name, EMBEDDED_AT_ONCE):
        with claimed.step():
            vectors = embedder.embed([_bare_text(text) for text in texts.values()], "document")
            work.save_embeddings(embedder.model_name, dict(zip(texts, vectors, strict=True)))
            left = work.count_without_embedding(embedder.model_name)
            claimed.advance_to(1 - left / max(claimed.stored().posts, 1))
            claimed.publish(tuple(texts))


def rank_posts(claimed: ClaimedSession) -> None:
    """Embedding scores, and near-copies folded under the best of them."""
    embedder = claimed.parts.embedder
    with claimed.step():
        question = embedder.embed([claimed.session.question], "query")[0]
        calibration = calibration_of(embedder.model_name)
        similar = {post_id: calibration.similarity(raw) for post_id, raw in claimed.work.cosines(question).items()}
        texts = {one.post.post_id: one.post.text for one in claimed.posts()}
        best_first = sorted(texts, key=lambda post_id: (-similar.get(post_id, 0.0), post_id))
        claimed.work.save_ranking(similar, near_copies({post_id: texts[post_id] for post_id in best_first}))
        claimed.advance_to(1.0)
        claimed.publish(tuple(best_first))


def rerank_posts(claimed: ClaimedSession) -> None:
    """The best posts, once per session: what an earlier worker has scored stays, so that one list has scores of one
    reranker. When it fails, the order by embedding stands."""
    found = to_rerank(claimed.posts())
    if not found or claimed.stored().reranker:
        return
    with claimed.step():
        reranker, warning = claimed.parts.reranker, ""
        scores: Sequence[float] = ()
        try:
            scores = reranker.score(claimed.session.question, [joined_text(one.post) for one in found])
        except StoreError:
            raise
        except LocatorError as error:
            failed = isinstance(error, ModelError | ConfigurationError)
            language = claimed.session.language
            logger.warning("The reranker %s failed: %s", reranker.name, error.message)
            reason = why_failed(error, reranker.name, claimed.say)
            if failed:
                reason = failure_reason(failure_of(error, reranker.name), language)
            warning = claimed.say.reranker_failed.format(message=reason)
        by_id = {one.post.post_id: score for one, score in zip(found, scores, strict=False)}
        claimed.work.save_reranking(reranker.name if by_id else "-", by_id, warning)
        claimed.advance_to(1.0)
        claimed.publish(tuple(by_id))


def save_scores(claimed: ClaimedSession) -> None:
    """Final scores and ranks."""
    claimed.work.save_scores(scored(claimed.posts()))
    claimed.advance_to(0.5)
    claimed.publish()
    claimed.write_down()


def write_answer(claimed: ClaimedSession) -> None:
    """The answer from the best posts, with the citations that exist; the session is done."""
    with claimed.step():
        read = to_read(claimed.posts())
        answer = _answer_from(read, claimed) if read else (AnswerSentence(_why_nothing(claimed)),)
        claimed.advance_to(1.0)
        claimed.flush()
        claimed.work.finish(answer)


def _answer_from(read: Sequence[FoundPost], claimed: ClaimedSession) -> tuple[AnswerSentence, ...]:
    """The answer of the model; where it is silent, that of its stand-in and a warning."""
    session = claimed.session
    language = answer_language(session.question, session.language)
    result = claimed.parts.chat_model.ask(answer_prompt(session.question, read, language), WHOLE_STEP)
    answer = grounded(result.value, read) if result.value else ()
    if result.failure is not None and result.model:
        claimed.work.warn(without_chat_model(result.failure, session.language))
    elif result.value is None:
        claimed.work.warn(claimed.say.model_silent)
    if uncited := sum(not sentence.post_ids for sentence in sentences_of(answer)):
        claimed.work.warn(claimed.say.uncited.format(count=uncited))
    return answer


def _why_nothing(claimed: ClaimedSession) -> str:
    say = Sentences.of(answer_language(claimed.session.question, claimed.session.language))
    if all(query.status == "skipped" for query in claimed.queries()):
        return say.nothing_bought.format(fewest=SMALLEST_PAGE)
    return say.no_post_found


def _bare_text(text: str) -> str:
    """The text of a post as it is embedded."""
    return without_links_and_handles(text) or text
