"""Our own servers for live search, each a program that speaks MCP over stdin and stdout:

python -m locator_search.adapters.live_servers.drive
python -m locator_search.adapters.live_servers.github
python -m locator_search.adapters.live_servers.mock drive|slack|github
"""
