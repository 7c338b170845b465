"""The live search page: one question over the services as they are now, with what the index knows folded in."""

from collections.abc import Sequence

import streamlit as st

from locator_search.core.reader import reader_now
from locator_search.live_search.outcome import Alternative, LiveOutcome
from locator_search.model import ServiceQuery
from streamlit_app.live import components as pieces
from streamlit_app.live.texts import LiveTexts
from streamlit_app.shared import access, session
from streamlit_app.shared.templates import line_html


def page() -> None:
    """The whole page, top to bottom."""
    texts = LiveTexts.of(session.texts().language)
    st.html(line_html(texts.title, style="head") + line_html(texts.lead))
    if belongs_to_somebody_else():
        st.warning(texts.closed, icon=":material/lock:")
        return
    start_servers_once()
    pieces.notice(texts, session.live().chat_model.model_name)
    st.session_state.setdefault("live-question", st.query_params.get("ask", ""))
    asked, with_index = pieces.question_form(texts, has_index=sum(session.counts("type").values()) > 0)
    instead: Alternative | None = st.session_state.pop("live-instead", None)
    asked = asked or st.session_state.pop("live-example", None)
    if asked:
        keep(answered(texts, asked, with_index=with_index))
    elif instead and (last := current()):
        keep(answered(texts, last.question, instead.queries))
    outcome = current()
    if outcome is None:
        pieces.examples(texts, ask_example)
        return
    session.keep_in_address(ask=outcome.question)
    if next_question := pieces.outcome(texts, outcome, following(), try_instead):
        following().append(followed(texts, (following() or [outcome])[-1], next_question))
        st.rerun()


def start_servers_once() -> None:
    """Servers start while the first question is typed."""
    if not st.session_state.get("live-servers-started"):
        st.session_state["live-servers-started"] = True
        session.live().gateway.prepare()


def belongs_to_somebody_else() -> bool:
    """Whether others may reach this page, with nothing to say what they may be shown. The services are asked with the
    tokens of whoever runs it, so their private messages would be shown to others; made-up ones may."""
    settings = session.locator().settings
    return access.sign_in_is_set_up() and settings.allow_real is not False and not settings.locator_permissions


def answered(
    texts: LiveTexts, question: str, queries: Sequence[ServiceQuery] = (), *, with_index: bool = False
) -> LiveOutcome:
    """A new search, each service's progress shown as it happens."""
    search = session.live().search(with_index=with_index, surface="page")
    with pieces.progress(texts) as tell:
        return search.ask(question, language=session.texts().language, queries=queries, on_step=tell)


def followed(texts: LiveTexts, outcome: LiveOutcome, question: str) -> LiveOutcome:
    """The answer to a question over the evidence of an outcome."""
    with pieces.progress(texts) as tell:
        return (
            session.live()
            .search(surface="page")
            .follow(outcome, question, language=session.texts().language, on_step=tell)
        )


def keep(outcome: LiveOutcome) -> None:
    """This tab shows it, to whom it was shown first, until the next question. A reload asks anew."""
    st.session_state["live-outcome"] = (reader_now(), outcome)
    following().clear()


def following() -> list[LiveOutcome]:
    """The questions that followed the one shown, with their answers, the first one first."""
    asked: list[LiveOutcome] = st.session_state.setdefault("live-following", [])
    return asked


def current() -> LiveOutcome | None:
    """The outcome that this tab shows."""
    reader, outcome = st.session_state.get("live-outcome", (None, None))
    return outcome if reader == reader_now() else None


def ask_example(question: str) -> None:
    """An example is asked when the page is drawn next."""
    st.session_state["live-question"] = st.session_state["live-example"] = question


def try_instead(alternative: Alternative) -> None:
    """Another query is put when the page is drawn next."""
    st.session_state["live-instead"] = alternative


page()
