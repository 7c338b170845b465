"""Where FinderLedge keeps documents: the catalogue in PostgreSQL, and vectors in Chroma or FAISS where chosen."""
