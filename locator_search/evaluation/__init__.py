"""How good the retrieval is on judged questions, and what similarities mean on this index."""
