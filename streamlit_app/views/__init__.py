"""One page per file; Streamlit runs them as scripts."""
