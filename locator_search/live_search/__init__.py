"""The live search: one question over services behind MCP servers, without an index."""
