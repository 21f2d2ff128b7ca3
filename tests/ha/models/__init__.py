"""Tests of what models of other integrations, and MCP clients, meet."""
