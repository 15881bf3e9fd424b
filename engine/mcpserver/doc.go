// Package mcpserver is the MCP server that a client starts: it offers the meta-tools over stdio and passes calls to
// the servers of the toolboxes.
//
// Messages are read and written as raw JSON, so that nothing that a server sent is lost (architecture.md, "Fidelity"),
// in both eras of the protocol: the one that begins with initialize, and the one since 2026-07-28.
package mcpserver
