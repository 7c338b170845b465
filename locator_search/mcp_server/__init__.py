"""Our own MCP server: the index, read-only, for programs that speak the Model Context Protocol.

A surface like the page and the command. `schemas` says what the tools answer, `index_tools` finds the answers, `server`
registers the tools, `serving` runs them over stdio or HTTP.
"""
