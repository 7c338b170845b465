"""The contributions page: choose a meeting and contributions, analyse them, follow every citation to its passage."""

from collections.abc import Callable, Sequence
from typing import Literal
from urllib.parse import urlencode

import streamlit as st

from locator_search.app.sheets import sheet_as
from locator_search.contributions.analysis.review_sheet import review_sheet
from locator_search.core.errors import AccessDenied
from locator_search.locales.times import moment
from locator_search.ports.contributions.analyses import AnalysisKind, KeptAnalysis
from locator_search.ports.sheets import SheetFormat
from streamlit_app.contributions import analysis, choosing
from streamlit_app.contributions import fetching as contribution_fetching
from streamlit_app.contributions.texts import ContributionTexts
from streamlit_app.shared import access, session
from streamlit_app.shared.templates import line_html


def page() -> None:
    """The whole page, top to bottom."""
    texts = ContributionTexts.of(session.texts().language)
    st.html(line_html(texts.title, style="head") + line_html(texts.lead))
    token = st.query_params.get("sheet")
    if token:
        shared(texts, token)
        return
    owner = access.owner()
    chosen, kind = choice(texts)
    question = choosing.question(texts, session.contributions().questions, owner)
    asked = st.button(texts.run, type="primary", disabled=not chosen, icon=":material/play_arrow:")
    with st.container():  # whether there are steps to show or not, what follows keeps its place
        if asked and ready(texts, chosen):
            show(analyse(texts, kind, chosen, question, owner))
    store = session.contributions().store
    choosing.details(texts, store.contributions(contribution_ids=chosen), store.document_states(chosen))
    analysis.earlier(texts, session.contributions().analyses.latest(owner), show)
    kept = current(texts, owner)
    if kept is None:
        if not chosen:
            st.html(line_html(texts.choose_first))
        return
    analysis.downloads(texts, kept, sheet, link_to(kept))
    analysis.show_analysis(texts, kept)
    analysis.cited_passage(texts, kept.analysis)


def choice(texts: ContributionTexts) -> tuple[list[str], AnalysisKind]:
    """The contributions a person has chosen, in that order, and what is to be done with them."""
    store = session.contributions().store
    meetings = [meeting.meeting_id for meeting in store.meetings()]
    if not meetings:
        choosing.no_meetings(texts)
        list_meetings(texts, texts.list_meetings, "primary")
        return [], "single"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        meeting = st.selectbox(texts.meeting, meetings[::-1], key="contribution-meeting")
        list_meetings(texts, texts.list_again, "tertiary")
    listed = store.contributions(meeting)
    known = choosing.contribution_filters(texts, listed)
    choosing.meeting_view(texts, known, listed)
    names = {one.contribution.contribution_id: choosing.contribution_name(one) for one in known}
    chosen = st.multiselect(
        texts.contributions,
        list(names),
        format_func=lambda one: names.get(one, one),
        placeholder=texts.contributions_placeholder,
        max_selections=choosing.MOST_CHOSEN,
        key=f"contributions-{meeting}",
        select_all=False,
    )
    here = sum(one.state == "indexed" for one in known)
    if here < len(known) and not comes_from_elsewhere():
        st.html(line_html(texts.here.format(all=len(known), indexed=here)))
    return chosen, choosing.kind_choice(texts, len(chosen))


def list_meetings(texts: ContributionTexts, words: str, kind: Literal["primary", "tertiary"]) -> None:
    """Has the archive asked for its newest meetings."""
    if st.button(words, type=kind, icon=":material/refresh:"):
        if contribution_fetching.listed(texts):
            st.rerun()
        st.error(texts.no_archive, icon=":material/error:")


def ready(texts: ContributionTexts, chosen: Sequence[str]) -> bool:
    """Whether there is evidence of contributions: they are in the index, or it comes from elsewhere."""
    return comes_from_elsewhere() or contribution_fetching.indexed(texts, chosen)


def comes_from_elsewhere() -> bool:
    """Whether evidence is not that of our own index."""
    return session.locator().settings.contributions_evidence != "pgvector"


def analyse(texts: ContributionTexts, kind: AnalysisKind, chosen: Sequence[str], question: str, owner: str) -> str:
    """A new analysis, its steps shown as they happen; kept for whoever asked. Returns its id."""
    parts = session.contributions()
    with choosing.progress(texts) as line:
        analysis = parts.agent.run(kind, chosen, session.texts().language, question, line)
    return parts.analyses.save(analysis, owner)


def show(analysis_id: str) -> None:
    """Show an analysis in this tab."""
    st.session_state["analysis"] = analysis_id


def current(texts: ContributionTexts, owner: str) -> KeptAnalysis | None:
    """The analysis of this tab, or that of the address; none where it is another person's."""
    analysis_id = st.session_state.get("analysis") or st.query_params.get("analysis")
    if not analysis_id:
        return None
    try:
        kept = session.contributions().analyses.get(analysis_id, owner)
    except AccessDenied:
        st.error(texts.analysis_refused, icon=":material/error:")
        return None
    session.keep_in_address(analysis=analysis_id)
    return kept


def shared(texts: ContributionTexts, token: str) -> None:
    """One review sheet for whoever holds a valid link."""
    parts = session.contributions()
    try:
        link = parts.links.read(token)
        kept = parts.analyses.get(link.analysis_id, None)
    except AccessDenied:
        st.error(texts.link_refused, icon=":material/error:")
        return
    session.keep_in_address(sheet=token)
    analysis.shared_sheet(texts, link.valid_until)
    analysis.download(texts, kept, link.format, sheet)


def sheet(kept: KeptAnalysis, sheet_format: SheetFormat) -> bytes:
    """The review sheet of an analysis."""
    made = moment(kept.created_at, session.zone(), session.texts().language)
    return sheet_as(review_sheet(kept.analysis, made, session.texts().language), sheet_format)


def link_to(kept: KeptAnalysis) -> Callable[[SheetFormat], str]:
    """Makes links to this page that lead to the review sheet of an analysis."""

    def link(sheet_format: SheetFormat) -> str:
        token = session.contributions().links.token(kept.analysis_id, sheet_format)
        return f"{(st.context.url or '').partition('?')[0]}?{urlencode({'sheet': token})}"

    return link


page()
