// Package workbench is the MCP server that a client starts: it offers the meta-tools over stdio,
// tells which toolboxes exist, and passes calls to the servers behind them.
//
// Everything is read and answered as raw bytes, so that nothing that a downstream server said is lost on the way
// (architecture.md, "Fidelity"), in both of the protocol's eras.
package workbench
