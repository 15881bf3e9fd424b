// Package contract has the engine's contract for messages: the JSON Schemas of the MCP messages and
// definitions that pass through it, checks against them with readable errors, and the error envelope
// (docs/contract.md, section 6).
package contract

import (
	"encoding/json"
	"sync"
)

// The schemas. Each is read once, on its first use: a client waits for the answer to initialize, and schemas
// that are not needed for it must cost nothing then.
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

// ValidateInitializeResponse checks the result with which the engine will answer an initialize request. The
// error is a *Violation whose paths begin with "result".
func ValidateInitializeResponse(result json.RawMessage) error {
	return initializeResponse().validate(result, "result")
}

// ValidateTool checks one tool from a server's list. Only the outer levels of its inputSchema are checked, so
// every keyword, number and depth that JSON allows is accepted. The error is a *Violation whose paths begin
// with "tool".
func ValidateTool(definition json.RawMessage) error {
	return toolDefinition().validate(definition, "tool")
}

// ValidateResource checks one resource from a server's list. The error is a *Violation whose paths begin with
// "resource".
func ValidateResource(definition json.RawMessage) error {
	return resourceDefinition().validate(definition, "resource")
}

// ValidateEnvelope checks an error envelope. The error is a *Violation whose paths begin with
// "envelope".
func ValidateEnvelope(envelope json.RawMessage) error {
	return errorEnvelope().validate(envelope, "envelope")
}
