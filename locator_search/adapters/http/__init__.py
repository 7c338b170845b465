"""HTTP services of others, asked through one client (the OpenAI and Google libraries bring clients of their own)."""
