// Package conformance runs the official conformance suite of MCP (npm @modelcontextprotocol/conformance) with
// and without the engine, and compares the results with the lists in testdata. See README.md in e2e.
package conformance
