"""Without LangChain's tests there is nothing to run here."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("langchain_tests") else ["test_*.py"]
