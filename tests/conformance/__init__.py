"""LangChain's own tests over FinderLedge. They need packages of their own: `make conformance`."""
