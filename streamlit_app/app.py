"""The pages: `streamlit run streamlit_app/app.py`."""

import streamlit as st

from streamlit_app import components, filter_components, session
from streamlit_app.live_texts import live_texts
from streamlit_app.x_texts import x_texts

st.set_page_config(page_title="Document Locator", page_icon=":material/find_in_page:", layout="wide")
st.html(components.STYLE)
with components.errors_in_words():
    session.restore()
    texts = session.texts()
    page = st.navigation(
        [
            st.Page("views/search.py", title=texts.search_page, icon=":material/search:", default=True),
            st.Page(
                "views/live.py",
                title=live_texts(texts.language).page,
                icon=":material/travel_explore:",
                url_path="live",
            ),
            st.Page("views/x.py", title=x_texts(texts.language).page, icon=":material/tag:", url_path="x"),
            st.Page(
                "views/contributions.py",
                title=texts.contributions_page,
                icon=":material/rate_review:",
                url_path="contributions",
            ),
            st.Page("views/status.py", title=texts.status_page, icon=":material/monitoring:", url_path="status"),
        ],
        position="top",
    )
    page.run()
    with st.sidebar:
        st.space("small")
        filter_components.language_switch(texts)
    session.write_address()
