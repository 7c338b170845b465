"""The pages and the server in front of them: `streamlit run streamlit_app/app.py`.

Streamlit imports this file once, for the server, and runs it as a script whenever somebody looks at a page.
"""

import streamlit as st

if __name__ == "__main__":
    from streamlit_app import pages

    pages.show()
else:
    from streamlit_app.search import suggesting
    from streamlit_app.shared import first_paint, originals, serving

    app = st.App(__file__, routes=[*first_paint.ROUTES, originals.ROUTE, suggesting.ROUTE], middleware=serving.guards())
