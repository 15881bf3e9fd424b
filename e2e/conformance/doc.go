// Package conformance runs the official conformance suite of MCP (npm @modelcontextprotocol/conformance) through the engine and without
// it, and holds what it finds against the lists in testdata. See README.md in e2e.
package conformance
