"""Navigation: shows the page of the address to whoever may see it, and the sign-in to everybody else."""

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from locator_search.config.settings import load_settings
from locator_search.core.reader import reading_as
from locator_search.health.usage import UsageTexts
from streamlit_app.adding.permission import refusal
from streamlit_app.adding.texts import AddingTexts
from streamlit_app.live.texts import LiveTexts
from streamlit_app.search import filter_panel as filter_components
from streamlit_app.search import own_searches
from streamlit_app.shared import access, components, first_paint, session, sign_in
from streamlit_app.shared.templates import render
from streamlit_app.shared.texts import Texts
from streamlit_app.x.texts import XTexts

ICON = Path(__file__).with_name("icon.svg")  # a named icon would be fetched from its maker by every browser
CONTRIBUTIONS = "contributions"


def show() -> None:
    """Show a page. No data of a person is read before it is clear who looks."""
    st.set_page_config(page_title="Document Locator", page_icon=ICON, layout="wide")
    st.html(first_paint.STYLE)
    with components.errors_in_words():
        session.restore_language()
        st.html(render("shared/scripts", "language", session.texts()), unsafe_allow_javascript=True)
        if access.admission() == "admitted":
            with reading_as(access.reader()):
                session.restore()
                page = navigation(session.texts(), hidden=False)
                page.run()
                with st.sidebar:
                    st.space("small")
                    filter_components.language_switch(session.texts())
                    sign_in.who_is_signed_in()
                session.write_address()
                if page.url_path:  # the search page, which has none, shows them itself
                    with st.sidebar:
                        own_searches.beside(session.texts(), search_page(session.texts()))
            return
        page = navigation(session.texts(), hidden=True)
        if page.url_path == CONTRIBUTIONS and access.holds_a_link():
            page.run()
        else:
            sign_in.way_in()
        with st.sidebar:
            filter_components.language_switch(session.texts())


def search_page(texts: Texts) -> StreamlitPage:
    """The page that an address without a path names."""
    return st.Page("search/search.py", title=texts.search_page, icon=":material/search:", default=True)


def navigation(texts: Texts, *, hidden: bool) -> StreamlitPage:
    """The pages there are. Returns the one that the address names."""
    return st.navigation(
        [
            search_page(texts),
            st.Page(
                "live/live.py",
                title=LiveTexts.of(texts.language).menu_title,
                icon=":material/travel_explore:",
                url_path="live",
            ),
            st.Page("x/x.py", title=XTexts.of(texts.language).title, icon=":material/tag:", url_path="x"),
            st.Page(
                "contributions/contributions.py",
                title=texts.contributions,
                icon=":material/rate_review:",
                url_path=CONTRIBUTIONS,
            ),
            st.Page(
                "adding/adding.py",
                title=AddingTexts.of(texts.language).title,
                icon=":material/create_new_folder:",
                url_path="add",
                visibility="hidden" if refusal(AddingTexts.of(texts.language), load_settings()) else "visible",
            ),
            st.Page("status/status.py", title=texts.status_page, icon=":material/monitoring:", url_path="status"),
            st.Page(
                "status/usage.py",
                title=UsageTexts.of(texts.language).title,
                icon=":material/query_stats:",
                url_path="usage",
                visibility="hidden",  # the status page leads to it
            ),
        ],
        position="hidden" if hidden else "top",
    )
