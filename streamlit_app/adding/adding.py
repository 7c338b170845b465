"""Adding documents: what a folder or Google Drive holds and what reading it costs, and then the crawl."""

from pathlib import Path

import streamlit as st

from locator_search.app.crawling import CrawlProcess
from locator_search.config.folders import folder_to_add, folders_to_crawl, remember_folders
from locator_search.config.settings import GOOGLE_KEYS, Settings, load_settings
from locator_search.core.reader import reading_as
from locator_search.locales.said import told
from streamlit_app.adding.permission import folder_refusal, refusal
from streamlit_app.adding.preview import preview
from streamlit_app.adding.texts import AddingTexts
from streamlit_app.shared import access, components, escaping, markup, session
from streamlit_app.shared.templates import line_html
from streamlit_app.status import components as status_components
from streamlit_app.status.texts import StatusTexts

LOOKS_EVERY_SECONDS = 2
RULES = ".locator-access.toml"


@st.cache_resource(show_spinner=False)
def crawl() -> CrawlProcess:
    """The crawl that this page started last."""
    return CrawlProcess(load_settings().home)


def page() -> None:
    """The whole page, top to bottom."""
    texts, settings = session.texts(), load_settings()
    say = AddingTexts.of(texts.language)
    st.html(line_html(say.title, style="head") + line_html(say.lead))
    if told := refusal(say, settings):
        st.info(escaping.label(told), icon=":material/lock:")
        return
    ways = range(len(say.ways))
    with session.said_in_its_language("way"):
        way = st.segmented_control(
            say.title,
            ways,
            format_func=lambda number: say.ways[number],
            key="way",
            default=int(settings.uses_google_drive),
            required=True,
            label_visibility="collapsed",
        )
    places = [st.container() if number == way else st.empty() for number in ways]  # so that the other goes at once
    with places[way]:
        (drive if way else folder_of_this_machine)(say, settings)
        progress()


def folder_of_this_machine(say: AddingTexts, settings: Settings) -> None:
    """A field for a folder and its preview; before one is named, the folders that are crawled."""
    texts = session.texts()
    if told := folder_refusal(say, settings):
        st.info(escaping.label(told), icon=":material/lock:")
        return
    written = st.text_input(say.path, key="path", placeholder=say.path_placeholder)
    if not written.strip():
        crawled_folders(say, settings)
        crawl_button(say)
        return
    found = folder_to_add(written, settings)
    if not isinstance(found, Path):
        st.warning(escaping.label(say.faults[found]))
        return
    if settings.locator_permissions and not (found / RULES).exists():
        st.warning(escaping.label(say.no_rules.format(file=RULES)))
    st.button(say.start, icon=":material/add:", key="start", on_click=add, args=(str(found),))
    preview(say, texts, found)


def crawled_folders(say: AddingTexts, settings: Settings) -> None:
    """The folders that are crawled; each but the last one can be taken out."""
    folders = folders_to_crawl(settings)
    st.html(line_html(say.crawled))
    for number, folder in enumerate(folders):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"folder-{number}"):
            st.html(line_html(str(folder.absolute()), style="path"))
            if len(folders) > 1:
                st.button(
                    say.remove,
                    key=f"remove-{number}",
                    type="tertiary",
                    disabled=crawl().running,
                    on_click=take_out,
                    args=(str(folder),),
                )


def drive(say: AddingTexts, settings: Settings) -> None:
    """The way to Google's credentials, what of them is set, and the preview of a folder that is named by its link."""
    if settings.uses_google_drive:
        folders = ", ".join(session.locator().drive_folders())
        st.success(escaping.label(say.connected.format(folders=folders)), icon=":material/check_circle:")
        crawl_button(say)
        return
    st.html(line_html(*(f"{number}. {step}" for number, step in enumerate(say.steps, start=1)), style="steps"))
    given = credentials(settings)
    st.html(markup.table_html(say.checks, [(name, say.is_set if there else say.is_not_set) for name, there in given]))
    if settings.google_client_id is None and settings.google_service_account_file is None:
        st.info(say.no_credentials, icon=":material/key:")
        return
    link = st.text_input(say.link, key="link", placeholder=say.link_placeholder).strip()
    if link:
        st.html(line_html(say.connect))
        st.code(f"GOOGLE_DRIVE_TARGET_FOLDER_IDS={link}", language=None, wrap_lines=True)
        preview(say, session.texts(), link)


def credentials(settings: Settings) -> list[tuple[str, bool]]:
    """The names of the settings that Drive needs, and whether each is set; never what it is set to."""
    names = [*GOOGLE_KEYS[:3], "GOOGLE_SERVICE_ACCOUNT_FILE"]
    given = {name: getattr(settings, name.lower()) is not None for name in names}
    given["GOOGLE_REFRESH_TOKEN"] |= settings.google_token_file.exists()
    return list(given.items())


def crawl_button(say: AddingTexts) -> None:
    """Starts a crawl of what is set already."""
    st.session_state["crawl_was_running"] = crawl().running
    st.button(say.again, key="again", icon=":material/refresh:", disabled=crawl().running, on_click=start)


@st.fragment(run_every=LOOKS_EVERY_SECONDS)
def progress() -> None:
    """How far the crawl has come, the files that are found from now on, and the way to the search. Drawn again by
    itself, and then nobody else says who looks."""
    with components.errors_in_words(), reading_as(access.reader()):
        texts, reader = session.texts(), session.locator().status_reader
        if st.session_state.get("crawl_was_running") and not crawl().running:
            st.rerun()  # what was shut meanwhile
        say, status, work = AddingTexts.of(texts.language), reader.status().coverage, reader.progress()
        if problem := crawl().problem:
            told_problem = told(problem, texts.language)
            st.error(escaping.label(say.failed.format(problem=told_problem)), icon=":material/error:")
        if crawl().running and not work.waiting:
            st.html(line_html(say.crawling))
        if crawl().succeeded:
            st.html(line_html(say.ended.format(count=status.by_state.get("indexed", 0))))
        status_components.progress(StatusTexts.of(texts.language), texts, work, status.listed)
        if status.by_state.get("indexed"):
            st.page_link("search/search.py", label=say.look, icon=":material/search:")


def add(written: str) -> None:
    """Crawl this folder from now on, beginning at once."""
    settings, say = load_settings(), AddingTexts.of(session.texts().language)
    folder = folder_to_add(written, settings)
    if folder_refusal(say, settings) or not isinstance(folder, Path):
        return
    remember_folders(settings, [*(one.absolute() for one in folders_to_crawl(settings)), folder])
    session.locator.clear()
    st.session_state["path"] = ""
    start()


def take_out(written: str) -> None:
    """Crawl this folder no more, and forget what was read of it."""
    settings, say = load_settings(), AddingTexts.of(session.texts().language)
    folders = folders_to_crawl(settings)
    left = [one.absolute() for one in folders if str(one) != written]
    if folder_refusal(say, settings) or not left or len(left) == len(folders):
        return
    remember_folders(settings, left)
    removed = session.locator().remove_folder(Path(written))
    session.locator.clear()
    st.toast(say.removed.format(removed), icon=":material/check:")


def start() -> None:
    """Start a crawl of what is set."""
    say = AddingTexts.of(session.texts().language)
    if not refusal(say, load_settings()):
        crawl().start()
        st.toast(say.started, icon=":material/check:")


page()
