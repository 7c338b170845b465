"""OpenAI, and every server that speaks its API, behind the ChatModel and Embedder ports."""
