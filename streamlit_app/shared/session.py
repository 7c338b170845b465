"""The state of one browser tab: a question, its filters and the log of the search; the rest is rebuilt from them.

The question and the filters are in the address, so a reload or a bookmark asks the same. The log stays in the database
for a day, under an id that is in the address too: after a reload, or at another page when one dies, the search stands
where it stood, a narrowing question half answered included, and no model is asked again. Every answer makes a step with
an id of its own, so the Back and Forward of the browser, which go from address to address, go from step to step. When
the step is not kept any more, the question of the address is searched anew.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

import streamlit as st
from pydantic import TypeAdapter, ValidationError
from streamlit.runtime.scriptrunner import get_script_run_ctx

from locator_search.app.contributions import ContributionParts
from locator_search.app.live import LiveParts
from locator_search.app.locator import Locator, open_locator
from locator_search.config.logging import configure_logging
from locator_search.config.settings import language_set
from locator_search.core.errors import StoreUnavailable
from locator_search.core.reader import Reader, reader_now
from locator_search.drive_search.page_filters import CUSTOM, PageFilters, filters_from_query
from locator_search.locales import Language
from locator_search.model import FacetName
from locator_search.text.variants.rules import RULES
from streamlit_app.shared.kept_counts import KeptCounts
from streamlit_app.shared.ordering import RELEVANCE, Order, as_order
from streamlit_app.shared.texts import Texts, as_language

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Search:
    """One step of a search of this tab. `id` names it in the address, `before` the step that was answered."""

    id: str
    question: str
    filters: PageFilters
    language: Language
    log: str
    before: str = ""
    reader: Reader | None = field(default_factory=reader_now)

    def asks(self, question: str, filters: PageFilters, language: Language) -> bool:
        """Whether this is the search for that question, by whoever looks now."""
        now = (question, filters, language, reader_now())
        return (self.question, self.filters, self.language, self.reader) == now


_STEP = TypeAdapter(Search)


@st.cache_resource(show_spinner=False)
def locator() -> Locator:
    """The product, opened once for all tabs. What the pages use is made here, where only one thread can be."""
    opened = open_locator()
    configure_logging(opened.settings)
    _ = opened.drive_search, opened.status_reader, opened.registry, opened.documents, opened.originals
    _ = opened.similar_files, opened.own_searches, opened.suggestions, opened.page_steps, opened.audit
    return opened


@st.cache_resource(show_spinner=False)
def contributions() -> ContributionParts:
    """The parts the contributions page uses, made here for the same reason."""
    parts = locator().contributions
    _ = parts.store, parts.requests, parts.agent, parts.analyses, parts.questions, parts.links
    return parts


@st.cache_resource(show_spinner=False)
def live() -> LiveParts:
    """The parts the live search page uses, made here for the same reason. Servers start with the first question."""
    parts = locator().live
    _ = parts.gateway, parts.chat_model
    return parts


def _keep(search: Search) -> None:
    """Keep a step for a day, where every page finds it. One that cannot be kept is shown all the same."""
    step = json.dumps(_STEP.dump_python(search, mode="json", exclude={"reader"}))
    try:
        locator().page_steps.keep(_key_of(search.id), step)
    except StoreUnavailable:
        logger.warning("The step of a search could not be kept; its question stands in the address.")


def _kept(step_id: str) -> Search | None:
    """The step of that id, if it is still kept, was made for whoever looks now, and by a program that says it so."""
    step = locator().page_steps.step(_key_of(step_id)) if step_id else None
    try:
        return _STEP.validate_python(json.loads(step)) if step else None
    except ValidationError:
        return None


def _key_of(step_id: str) -> str:
    """The hash of the id of a step and of whoever reads: others do not find it, and it tells neither."""
    return hashlib.sha256(f"{step_id} {reader_now()}".encode()).hexdigest()


def counts(name: FacetName) -> dict[str, int]:
    """How many indexed files have each value of a facet; empty while nothing is indexed."""
    return _counts().of(reader_now()).get(name, {})


@st.cache_resource(show_spinner=False)
def _counts() -> KeptCounts[dict[FacetName, dict[str, int]]]:
    """Of all facets at once: to count one takes as long as to count all."""
    status = locator().status_reader

    def count() -> dict[FacetName, dict[str, int]]:
        return {facet.name: {value.value: value.count for value in facet.values} for facet in status.facets()}

    return KeptCounts(count)


def searchable() -> int:
    """How many files this reader can find: those that the answers count as searched."""
    return _searchable().of(reader_now())


@st.cache_resource(show_spinner=False)
def _searchable() -> KeptCounts[int]:
    unread = locator().unread
    return KeptCounts(lambda: unread.coverage().searchable)


def texts() -> Texts:
    """The texts in the language of this tab."""
    return Texts.of(st.session_state.get("language", "ja"))


def zone() -> ZoneInfo:
    """The time zone dates are shown in."""
    return ZoneInfo(locator().settings.locator_time_zone)


def _moved() -> bool:
    """Whether this run shows an address that somebody went back or forward to."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def restore_language() -> None:
    """Take the language from an address that is new to this tab. Reads nothing but settings."""
    if "language" not in st.session_state or _moved():
        st.session_state["language"] = as_language(st.query_params.get("lang"), language_set())


@contextmanager
def said_in_its_language(key: str) -> Iterator[None]:
    """Draw a list in the block; where the language is another, a browser keeps the words of what is chosen until the
    value is set. A run that ends before the list is drawn leaves that to the next."""
    state, spoken, language = st.session_state, f"{key}-language", texts().language
    if key in state and state.get(spoken, language) != language:
        state[key] = state[key]
    yield
    state[spoken] = language


def restore() -> None:
    """Take question, filters and search from the address: once per tab, and after Back or Forward."""
    if st.session_state.get("restored") and not _moved():
        return
    st.session_state["restored"] = True
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    typed = _typed_at_another_page() if not _moved() else None
    st.session_state["question"] = st.query_params.get("q", "") if typed is None else typed
    st.session_state["order"] = as_order(st.query_params.get("sort"))
    set_filters(filters_from_query(query))
    st.session_state["search"] = _kept(st.query_params.get("run", ""))


def _typed_at_another_page() -> str | None:
    """The question that a tab sends along with its first run here, when the page it was opened at died; Streamlit hands
    it out under no public name before the field is drawn."""
    context = get_script_run_ctx()
    sent = context.session_state._state._new_widget_state.states if context else {}
    fields = (state.value for name, state in sent.items() if name.endswith("-question") and hasattr(state.value, "id"))
    return next((str(field.string_value) for field in fields), None)


def write_address() -> None:
    """Put question, filters, language and search id into the address."""
    search = current()
    address: dict[str, str | Sequence[str]] = {
        "q": question(),
        **filters().as_query(),
        "lang": texts().language,
        "sort": order() if order() != RELEVANCE else "",
        "run": search.id if search else "",
        **st.session_state.pop("address_of_page", {}),
    }
    st.query_params.from_dict({name: value for name, value in address.items() if value})


def keep_in_address(**values: str) -> None:
    """Keep values of one page in the address. To be called each time the page is drawn."""
    st.session_state["address_of_page"] = values


def question() -> str:
    """The text in the question field."""
    return str(st.session_state["question"] or "").strip()


def filters() -> PageFilters:
    """The values of the filter widgets."""
    state = st.session_state
    custom = state["period"] == CUSTOM
    return PageFilters(
        period=state["period"] or "",
        after=state["after"] if custom else None,
        before=state["before"] if custom else None,
        mime_types=tuple(state["types"]),
        folders=tuple(state["folders"]),
        month=state["month"],
        owners=tuple(state["owners"]),
        editors=tuple(state["editors"]),
        drives=tuple(state["drives"]),
        ignored=state["ignored"],
        matching_off=tuple(rule for rule in RULES if rule not in state["rules"]),
    )


def set_filters(chosen: PageFilters) -> None:
    """Set the filter widgets; only before they are drawn, or in a callback."""
    st.session_state.update(
        period=chosen.period,
        after=chosen.after,
        before=chosen.before,
        types=list(chosen.mime_types),
        folders=list(chosen.folders),
        month=chosen.month,
        owners=list(chosen.owners),
        editors=list(chosen.editors),
        drives=list(chosen.drives),
        ignored=chosen.ignored,
        rules=[rule for rule in RULES if rule not in chosen.matching_off],
    )


def ask(text: str) -> None:
    """Put a question into the field; only before it is drawn, or in a callback."""
    st.session_state["question"] = text
    forget_ignored()


def forget_ignored() -> None:
    """Another question: what was lifted of the last one counts no longer."""
    st.session_state["ignored"] = ()


def order() -> Order:
    """The order in which the person wants the results."""
    return as_order(st.session_state["order"])


def current() -> Search | None:
    """The search of this tab, unless the question, the filters or the language have changed since."""
    search: Search | None = st.session_state["search"]
    return search if search and search.asks(question(), filters(), texts().language) else None


def step() -> str:
    """The id of the present step of this tab, another one for each question and answer; "" before the first."""
    search = current()
    return search.id if search else question()


def open_result(file_id: str, of: str) -> None:
    """Choose a result of a step: the one that was shown, for a click is answered before it is known who looks."""
    st.session_state.setdefault("opened", {})[of] = file_id


def close(of: str) -> None:
    """Choose none."""
    st.session_state.get("opened", {}).pop(of, None)


def opened() -> str:
    """The file that was chosen in the present step, or ""."""
    return str(st.session_state.get("opened", {}).get(step(), ""))


def keep(log: str) -> None:
    """Keep the log of the search for the present question and filters; a longer one is the next step."""
    known = current()
    if known and known.log == log:
        return
    before = known.id if known else ""
    search = Search(secrets.token_urlsafe(9), question(), filters(), texts().language, log, before)
    _keep(search)
    take_up(search)


def step_before() -> Search | None:
    """The step of this search before the last answer, while it is kept."""
    search = current()
    return _kept(search.before) if search else None


def take_up(search: Search) -> None:
    """Go on with a search where it stood."""
    st.session_state["search"] = search


def answer(text: str) -> None:
    """Answer the narrowing question; the search goes on with it when the page is drawn next."""
    st.session_state["answer"] = text


def take_answer() -> str | None:
    """The answer given since the page was drawn, once."""
    given: str | None = st.session_state.pop("answer", None)
    return given
