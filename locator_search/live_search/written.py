"""The answer as it is shown: the text of the model made safe, and below it what its evidence says otherwise. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from locator_search.live_search.answer_text import CheckedAnswer
from locator_search.live_search.claims import Passage, claims_of
from locator_search.live_search.disagreement import disagreements
from locator_search.live_search.messages import Sentences
from locator_search.live_search.outcome import Disagreement, LiveClaim
from locator_search.locales import Language
from locator_search.text.cutting import truncate
from locator_search.text.markdown.writing import text_as_markdown

LONGEST_QUOTE = 120
"""Characters of a statement, or of a sentence of the evidence, below an answer."""


@dataclass(frozen=True, slots=True)
class Written:
    """An answer in Markdown, its claims, and where services disagree about the question."""

    markdown: str
    claims: tuple[LiveClaim, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()


def written(answer: CheckedAnswer, question: str, passages: Mapping[int, Passage], language: Language) -> Written:
    """The answer, and below it where services disagree and what is not proved."""
    say = Sentences.of(language)
    claims = claims_of(answer.blocks, passages)
    differing = disagreements(question, passages)
    parts = [answer.markdown or say.here_is_what_was_found]
    parts += [_disagreement(one, passages, say) for one in differing]
    if unproved := [claim for claim in claims if not claim.supported]:
        parts.append(say.not_proved.format(claims=say.space.join(_unproved(claim, say) for claim in unproved)))
    return Written("\n\n".join(parts), claims, differing)


def _disagreement(one: Disagreement, passages: Mapping[int, Passage], say: Sentences) -> str:
    first, second = one.said
    return say.disagree.format(
        first_label=text_as_markdown(passages[first.number].service),
        first=_quoted(first.quote),
        first_number=first.number,
        second_label=text_as_markdown(passages[second.number].service),
        second=_quoted(second.quote),
        second_number=second.number,
    )


def _unproved(claim: LiveClaim, say: Sentences) -> str:
    reasons: Sequence[str] = [say.doubts[doubt] for doubt in claim.doubts] or [say.not_cited]
    return say.statement.format(claim=_quoted(claim.text), reasons=say.space.join(reasons))


def _quoted(text: str) -> str:
    return text_as_markdown(truncate(text, LONGEST_QUOTE))
