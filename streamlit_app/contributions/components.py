"""The pieces of the contributions page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import PurePath

import streamlit as st

from locator_search.contributions.analysis.comparison import comparison_table
from locator_search.contributions.analysis.messages import Sentences
from locator_search.contributions.links import VALID_FOR
from locator_search.contributions.meeting_view import meeting_rows, meeting_table
from locator_search.contributions.selection import cover_field
from locator_search.ports import DocumentState, KnownContribution, OnProgress
from locator_search.ports.contributions.analyses import Analysis, AnalysisKind, Citation, KeptAnalysis
from locator_search.ports.contributions.questions import SavedQuestion, SavedQuestions
from locator_search.ports.sheets import SheetFormat
from streamlit_app.contributions import markup as contribution_markup
from streamlit_app.contributions.texts import ContributionTexts
from streamlit_app.shared import escaping, session
from streamlit_app.shared.markup import table_html
from streamlit_app.shared.templates import heading_html, line_html

MOST_CHOSEN = 10
LONGEST_NAME = 40
ANYTHING = ""


def no_meetings(texts: ContributionTexts) -> None:
    """Show how to list meetings when there are none."""
    st.info(texts.no_meetings, icon=":material/inventory_2:")
    st.code("document-locator contributions sync\ndocument-locator contributions index", language="shell")


def contribution_filters(texts: ContributionTexts, known: Sequence[KnownContribution]) -> list[KnownContribution]:
    """The contributions left after choosing what the meeting's list and the cover pages say of them."""
    fields: tuple[tuple[str, Callable[[KnownContribution], str]], ...] = (
        (texts.agenda_item, lambda one: one.contribution.agenda_item),
        (texts.source, lambda one: one.contribution.source),
        (texts.status, lambda one: one.contribution.status),
        (texts.specification, lambda one: cover_field(one, "specification")),
        (texts.release, lambda one: cover_field(one, "release")),
    )
    with st.expander(texts.filters, icon=":material/filter_list:"):
        for column, (name, value_of) in zip(st.columns(len(fields)), fields, strict=True):
            values = sorted({value_of(one) for one in known} - {""})
            chosen = column.selectbox(name, [ANYTHING, *values], format_func=lambda value: value or texts.anything)
            known = [one for one in known if chosen in (ANYTHING, value_of(one))]
    return list(known)


def meeting_view(
    texts: ContributionTexts, shown: Sequence[KnownContribution], listed: Sequence[KnownContribution]
) -> None:
    """The contributions that passed the filters as a table: agenda item, source, status, revisions, decision."""
    with st.expander(texts.meeting_view, icon=":material/table_rows:"):
        table = meeting_table(meeting_rows(shown, listed), session.texts().language)
        st.html(table_html(table.columns, table.rows))


def contribution_name(known: KnownContribution) -> str:
    """Number, title and source on one line. The same in every state and language: a browser keeps a choice by it."""
    one = known.contribution
    details = " / ".join(filter(None, (one.title, one.source)))
    return f"{one.number}  {details}".strip()


def details(texts: ContributionTexts, known: Sequence[KnownContribution], documents: Sequence[DocumentState]) -> None:
    """Show the chosen contributions: their cover pages, how their documents were read, why one was not."""
    if not known:
        return
    with st.expander(texts.details, icon=":material/description:"):
        for one in known:
            of = [each for each in documents if each.contribution_id == one.contribution.contribution_id]
            st.html(contribution_markup.details_html(one, of, texts))


def question(texts: ContributionTexts, saved: SavedQuestions, owner: str) -> str:
    """The field for a question of one's own, "" for none; questions can be kept under a name."""
    kept = {one.name: one.question for one in saved.of(owner)}
    if kept:
        st.pills(
            texts.saved_question,
            list(kept),
            key="saved-question",
            on_change=partial(_take_question, kept),
            selection_mode="single",
        )
    asked = st.text_area(texts.question, key="own-question", placeholder=texts.question_placeholder, height=80)
    if asked.strip() or kept:
        with st.popover(texts.keep_question, icon=":material/bookmark:"):
            _keep_question(texts, saved, owner, asked, kept)
    return asked


def _take_question(kept: Mapping[str, str]) -> None:
    chosen = st.session_state["saved-question"]
    if chosen in kept:
        st.session_state["own-question"] = kept[chosen]


def _keep_question(
    texts: ContributionTexts, saved: SavedQuestions, owner: str, asked: str, kept: Mapping[str, str]
) -> None:
    name = st.text_input(texts.question_name, max_chars=LONGEST_NAME, key="question-name").strip()
    if st.button(texts.keep, disabled=not (name and asked.strip()), icon=":material/save:"):
        saved.save(owner, SavedQuestion(name, " ".join(asked.split())))
        st.rerun()
    for one in kept:
        if st.button(escaping.label(texts.forget.format(name=one)), key=f"forget-{one}", icon=":material/delete:"):
            saved.delete(owner, one)
            st.rerun()


@contextmanager
def progress(texts: ContributionTexts) -> Iterator[OnProgress]:
    """A panel that fills with one line per step, and folds when all is done."""
    with st.status(texts.running, expanded=True) as panel:

        def show(line: str) -> None:
            panel.text(escaping.visible(line))

        yield show
        panel.update(label=texts.done, expanded=False, state="complete")


def show_analysis(texts: ContributionTexts, kept: KeptAnalysis) -> None:
    """Findings, changes, evidence and searches of one analysis, each citation a button that opens its passage."""
    analysis = kept.analysis
    made = kept.created_at.astimezone(session.zone())
    names = ", ".join(analysis.contribution_ids)
    st.html(
        line_html(f"{texts.kinds[analysis.kind]}: {names}", style="outcome")
        + contribution_markup.question_html(analysis.question, texts)
        + line_html(f"{made:%Y-%m-%d %H:%M %Z}")
        + contribution_markup.made_by_html(analysis, texts)
    )
    say = Sentences.of(session.texts().language)
    for note in analysis.notes:
        st.warning(escaping.label(note), icon=":material/info:")
    if analysis.left_out:
        left_out = "  \n".join(escaping.label(f"{one.contribution_id}: {one.reason}") for one in analysis.left_out)
        st.warning(f"{say.left_out_title}  \n{left_out}", icon=":material/remove_circle:")
    table = comparison_table(analysis, say)
    findings, changes, evidence, searches, *compared = st.tabs(
        [
            f"{texts.findings} ({len(analysis.claims)})",
            f"{texts.changed_places} ({len(analysis.changes)})",
            f"{texts.evidence} ({len(analysis.evidence)})",
            texts.searches,
            *([say.comparison_title] if table else []),
        ]
    )
    with findings:
        _findings(texts, kept)
    with changes:
        _changes(texts, kept)
    with evidence:
        for number, item in enumerate(analysis.evidence, start=1):
            passage = contribution_markup.passage_html(item, "", texts)
            st.html(line_html(f"[{number}]", style="rank") + passage)
    with searches:
        st.html(contribution_markup.queries_html(analysis.queries, texts))
    if table:
        with compared[0]:
            st.html(table_html(table.columns, table.rows))


def _findings(texts: ContributionTexts, kept: KeptAnalysis) -> None:
    say, analysis = Sentences.of(session.texts().language), kept.analysis
    if not analysis.claims:
        st.html(line_html(texts.no_claims))
    for aspect in dict.fromkeys(claim.aspect for claim in analysis.claims):
        st.html(heading_html(say.aspects[aspect]))
        for number, claim in enumerate(analysis.claims):
            if claim.aspect == aspect:
                with st.container(gap=None):
                    st.html(contribution_markup.claim_html(claim, texts))
                    shown = claim.citations
                    if claim.nearest is not None and not shown:
                        st.html(line_html(texts.nearest))
                        shown = (Citation(claim.nearest),)
                    _citations(texts, kept, shown, f"claim-{number}")


def _changes(texts: ContributionTexts, kept: KeptAnalysis) -> None:
    if not kept.analysis.changes:
        st.html(line_html(texts.no_changes))
    for number, change in enumerate(kept.analysis.changes):
        quote = next((edit.after or edit.before for edit in change.edits), "")
        with st.container(gap=None):
            st.html(contribution_markup.change_html(change, texts))
            _citations(texts, kept, [Citation(place, quote) for place in change.evidence], f"change-{number}")


def _citations(texts: ContributionTexts, kept: KeptAnalysis, citations: Sequence[Citation], key: str) -> None:
    with st.container(horizontal=True, gap="small"):
        for place, citation in enumerate(citations):
            evidence = kept.analysis.evidence[citation.evidence]
            number = evidence.contribution_number or evidence.file_name
            where = f"[{citation.evidence + 1}] {number} · {contribution_markup.place(evidence, texts)}"
            st.button(
                escaping.label(where),
                key=f"{kept.analysis_id}-{key}-{place}",
                type="tertiary",
                icon=":material/format_quote:",
                on_click=partial(_open_citation, citation),
            )


def _open_citation(citation: Citation) -> None:
    st.session_state["citation"] = citation


def cited_passage(texts: ContributionTexts, analysis: Analysis) -> None:
    """The passage of the citation that was clicked, in a drawer beside the analysis."""
    citation: Citation | None = st.session_state.pop("citation", None)
    if citation is None or citation.evidence >= len(analysis.evidence):
        return
    evidence = analysis.evidence[citation.evidence]
    title = f"{evidence.contribution_number or evidence.file_name} · {contribution_markup.place(evidence, texts)}"

    @st.dialog(escaping.label(title), width="large")
    def drawer() -> None:
        st.html(contribution_markup.passage_html(evidence, citation.quote, texts))
        file = session.contributions().paged_file(evidence.document_id)
        if file is not None:
            name = PurePath(evidence.source_file or evidence.file_name).stem
            st.download_button(
                texts.save_document.format(format=file.suffix.lstrip(".").upper()),
                data=file.read_bytes,
                file_name=f"{escaping.visible(name)}{file.suffix}",
                on_click="ignore",
                icon=":material/download:",
            )

    drawer()


def downloads(
    texts: ContributionTexts,
    kept: KeptAnalysis,
    write: Callable[[KeptAnalysis, SheetFormat], bytes],
    link_to: Callable[[SheetFormat], str],
) -> None:
    """The review sheet as Word, Markdown and Excel, and a link for somebody else that holds for a day."""
    with st.container(horizontal=True, gap="small"):
        download(texts, kept, "docx", write)
        download(texts, kept, "md", write)
        download(texts, kept, "xlsx", write)
        with st.popover(texts.make_link, icon=":material/link:"):
            hours = int(VALID_FOR.total_seconds() // 3600)
            st.html(line_html(texts.link_hint.format(hours=hours)))
            st.code(link_to("docx"), language=None, wrap_lines=True)


def download(
    texts: ContributionTexts,
    kept: KeptAnalysis,
    sheet_format: SheetFormat,
    write: Callable[[KeptAnalysis, SheetFormat], bytes],
) -> None:
    """A download button; the file is written when it is clicked."""
    name = "_".join(one.rpartition("/")[2] for one in kept.analysis.contribution_ids)[:80]
    st.download_button(
        {"docx": texts.download_word, "md": texts.download_markdown, "xlsx": texts.download_excel}[sheet_format],
        data=partial(write, kept, sheet_format),
        file_name=f"{texts.file_name.format(name=name)}.{sheet_format}",
        on_click="ignore",
        key=f"download-{sheet_format}-{kept.analysis_id}",
        icon=":material/download:",
    )


def shared_sheet(texts: ContributionTexts, until: datetime) -> None:
    """The view of somebody who was sent a link to a review sheet."""
    end = texts.shared_until.format(until=f"{until.astimezone(session.zone()):%Y-%m-%d %H:%M %Z}")
    st.html(line_html(texts.shared_sheet, style="outcome") + line_html(end))


def earlier(texts: ContributionTexts, analyses: Sequence[KeptAnalysis], choose: Callable[[str], None]) -> None:
    """Analyses made before; a click shows one again."""
    if not analyses:
        return
    with st.expander(texts.earlier, icon=":material/history:"):
        for kept in analyses:
            made = f"{kept.created_at.astimezone(session.zone()):%m-%d %H:%M %Z}"
            names = ", ".join(kept.analysis.contribution_ids)
            line = f"{made}  {texts.kinds[kept.analysis.kind]}: {names}"
            st.button(
                escaping.label(line),
                key=f"earlier-{kept.analysis_id}",
                type="tertiary",
                on_click=choose,
                args=(kept.analysis_id,),
            )


def kind_choice(texts: ContributionTexts, count: int) -> AnalysisKind:
    """The choice of the kind of analysis; of two contributions, a person says whether one revises the other."""
    if count < 2:
        return "single"
    if count > 2:
        return "comparison"
    choices: list[AnalysisKind] = ["comparison", "revisions"]
    chosen = st.segmented_control(
        texts.kind, choices, default="comparison", format_func=lambda kind: texts.kinds[kind], key="contribution-kind"
    )
    if chosen == "revisions":
        st.html(line_html(texts.older_first))
    return chosen or "comparison"
