package jsonrpc

// Codes of errors that JSON-RPC itself defines.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603
)

// Codes of errors that the Model Context Protocol adds.
const (
	// CodeResourceNotFound is used in older versions; since 2026-07-28 it is CodeInvalidParams.
	CodeResourceNotFound = -32002
	// CodeHeaderMismatch means that the HTTP headers contradict the body.
	CodeHeaderMismatch = -32020
	// CodeMissingCapability means that the server needs a capability that the request does not declare.
	CodeMissingCapability = -32021
	// CodeUnsupportedVersion means that the protocol version of the request is not supported.
	CodeUnsupportedVersion = -32022
	// CodeVisitURL means that the person must visit a web page first.
	CodeVisitURL = -32042
)

// ProgressToken is the member of _meta with which a request of MCP asks for progress.
const ProgressToken = "progressToken"
