// Package contract holds what the engine promises in writing: the JSON Schemas of the MCP messages
// and definitions that cross it, checks against them whose findings people can read, and the error
// envelope (contract.md, section 6; mcp-operations).
package contract

import (
	"encoding/json"
	"sync"
)

// The schemas. Each is read on its first use and once: a client waits for the answer to
// initialize, and what it does not need then must not cost it anything.
var (
	initializeRequest  = sync.OnceValue(func() *schema { return compile("initialize.request") })
	initializeResponse = sync.OnceValue(func() *schema { return compile("initialize.response") })
	toolDefinition     = sync.OnceValue(func() *schema { return compile("tool.definition") })
	resourceDefinition = sync.OnceValue(func() *schema { return compile("resource.definition") })
	errorEnvelope      = sync.OnceValue(func() *schema { return compile("error.envelope") })
)

// ValidateInitializeRequest checks the params of a client's initialize request. The error is a
// *Violation whose paths begin with "params".
func ValidateInitializeRequest(params json.RawMessage) error {
	return initializeRequest().validate(params, "params")
}

// ValidateInitializeResponse checks the result that the engine is about to answer an initialize
// request with. The error is a *Violation whose paths begin with "result".
func ValidateInitializeResponse(result json.RawMessage) error {
	return initializeResponse().validate(result, "result")
}

// ValidateTool checks one tool as a server lists it. Of its inputSchema only the frame is checked, so
// every keyword, every number and every depth that JSON allows passes. The error is a *Violation whose
// paths begin with "tool".
func ValidateTool(definition json.RawMessage) error {
	return toolDefinition().validate(definition, "tool")
}

// ValidateResource checks one resource as a server lists it. The error is a *Violation whose paths
// begin with "resource".
func ValidateResource(definition json.RawMessage) error {
	return resourceDefinition().validate(definition, "resource")
}

// ValidateEnvelope checks an error envelope. The error is a *Violation whose paths begin with
// "envelope".
func ValidateEnvelope(envelope json.RawMessage) error {
	return errorEnvelope().validate(envelope, "envelope")
}
