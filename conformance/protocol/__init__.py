"""The MCP conformance suite and the Inspector over ``upheld mcp``."""
