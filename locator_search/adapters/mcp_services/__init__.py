"""Live services: servers that speak MCP, described in servers.yaml, started and watched by this process."""

from locator_search.adapters.mcp_services.configuration import DEFAULT_SERVERS
from locator_search.adapters.mcp_services.gateway import McpServiceGateway
from locator_search.adapters.mcp_services.opening import open_gateway

__all__ = ["DEFAULT_SERVERS", "McpServiceGateway", "open_gateway"]
