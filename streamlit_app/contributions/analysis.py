"""An analysis on the page: findings, changes, each citation with its passage, and the sheets to take away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import PurePath

import streamlit as st

from locator_search.contributions.analysis.comparison import comparison_table
from locator_search.contributions.analysis.messages import Sentences
from locator_search.contributions.links import VALID_FOR
from locator_search.locales.times import moment
from locator_search.ports.contributions.analyses import Analysis, Citation, KeptAnalysis
from locator_search.ports.sheets import SheetFormat
from streamlit_app.contributions import markup as contribution_markup
from streamlit_app.contributions.texts import ContributionTexts
from streamlit_app.shared import escaping, session
from streamlit_app.shared.components import errors_in_words
from streamlit_app.shared.markup import table_html
from streamlit_app.shared.templates import heading_html, line_html


def show_analysis(texts: ContributionTexts, kept: KeptAnalysis) -> None:
    """Findings, changes, evidence and searches of one analysis, each citation a button that opens its passage."""
    analysis = kept.analysis
    made = moment(kept.created_at, session.zone(), session.texts().language)
    names = ", ".join(analysis.contribution_ids)
    st.html(
        line_html(f"{texts.kinds[analysis.kind]}: {names}", style="outcome")
        + contribution_markup.question_html(analysis.question, texts)
        + line_html(made)
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
        file = None
        with errors_in_words():
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
    end = texts.shared_until.format(until=moment(until, session.zone(), session.texts().language))
    st.html(line_html(texts.shared_sheet, style="outcome") + line_html(end))


def earlier(texts: ContributionTexts, analyses: Sequence[KeptAnalysis], choose: Callable[[str], None]) -> None:
    """Analyses made before; a click shows one again."""
    if not analyses:
        return
    with st.expander(texts.earlier, icon=":material/history:"):
        for kept in analyses:
            made = moment(kept.created_at, session.zone(), session.texts().language, short=True)
            names = ", ".join(kept.analysis.contribution_ids)
            line = f"{made}  {texts.kinds[kept.analysis.kind]}: {names}"
            st.button(
                escaping.label(line),
                key=f"earlier-{kept.analysis_id}",
                type="tertiary",
                on_click=choose,
                args=(kept.analysis_id,),
            )
