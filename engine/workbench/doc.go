// Package workbench is the MCP server that a client starts: it offers the meta-tools over stdio,
// tells which toolboxes exist, and passes calls to the servers behind them.
//
// # Who answers what
//
// tools/list and tools/call are answered here, from raw bytes, so that nothing that a downstream
// server said is lost on the way (architecture.md, "Fidelity"). Everything else, from initialize to
// subscriptions/listen, is answered by mcp-go's MCPServer, in both of the protocol's eras.
package workbench
