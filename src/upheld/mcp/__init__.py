"""The MCP server: five tools over one store, by stdio and streamable HTTP. The SDK is imported in this package only."""
