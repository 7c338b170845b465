"""A Streamlit page of attacks: every text of theirs through everything that shows texts of others."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import streamlit as st

from locator_search.live_search.answer_text import checked_answer
from locator_search.live_search.outcome import AskedQuery, LiveEvidence
from locator_search.model import Evidence, GroupMember
from streamlit_app.live import markup as live_markup
from streamlit_app.live.texts import LiveTexts
from streamlit_app.shared import escaping, markup
from streamlit_app.shared.texts import Texts
from tests.hostile.markdown_grammar import EVERY_WAY

ZONE = ZoneInfo("Asia/Tokyo")
SCRIPTS = [
    "<script>window.__pwned=1;alert(1)</script>",
    "<img src=x onerror='window.__pwned=1'>",
    "<svg onload='window.__pwned=1'></svg>",
    "\"><iframe srcdoc='<script>parent.__pwned=1</script>'></iframe>",
    "'onmouseover='window.__pwned=1",
    "javascript:window.__pwned=1",
    ":material/delete: :red[x] :smile: $\\href{javascript:window.__pwned=1}{x}$ ![x](//evil.example/a.png)",
    "www.evil.example someone@evil.example https://evil.example/a evil.com",
]


def file_of(text: str, number: int) -> Evidence:
    """A file whose every field is an attack."""
    return Evidence(
        file_id=f"local:{number}",
        file_name=text,
        summary=text,
        link=text if number % 2 else f"https://drive.example/{number}",
        mime_type=text,
        modified_at=datetime(2026, 11, 20, tzinfo=UTC),
        similarity=0.8,
        score=1.0,
        keywords=(text,),
        folder_path=text,
        snippet=text,
    )


TEXTS = [*SCRIPTS, *EVERY_WAY[:: len(EVERY_WAY) // 60]]
SOURCE = LiveEvidence(1, "slack", "Slack", "message", "title", "https://evidence.example/1", "snippet")
with st.container(key="answers"):
    for start in range(0, len(EVERY_WAY), 50):
        texts = [*SCRIPTS, *EVERY_WAY[start : start + 50]]
        raw = "".join(live_markup.answer_html(text, [SOURCE]) for text in texts)
        checked = (checked_answer(text, {1: SOURCE.uri}).markdown for text in texts)
        st.html(raw + "".join(live_markup.answer_html(text, [SOURCE]) for text in checked))
with st.container(key="files"):
    for number, text in enumerate(TEXTS):
        file = file_of(text, number)
        hit = LiveEvidence(1, text, text, text, text, text, text)
        st.html(
            markup.result_html(file, 1, Texts.of("ja"), ZONE)
            + markup.group_html([GroupMember(file, "copy", 1.0)], Texts.of("ja"), ZONE)
            + live_markup.evidence_html(hit, LiveTexts.of("ja"), ZONE)
            + live_markup.queries_html([AskedQuery(text, text, text, text, 1, 0.1)], LiveTexts.of("ja"))
        )
with st.container(key="labels"):
    for number, text in enumerate(TEXTS[:24]):
        st.error(escaping.label(text))
        st.button(escaping.label(text), key=f"button-{number}")
    st.multiselect("m", TEXTS[:10], default=TEXTS[:10], format_func=lambda text: escaping.visible(text))
    st.text("\n".join(escaping.visible(text) for text in TEXTS))
    st.code("\n".join(TEXTS), language=None)
st.html('<div class="dl-head">done</div>')
