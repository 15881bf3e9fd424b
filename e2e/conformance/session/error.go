package session

import (
	"encoding/json"
	"fmt"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Error is a JSON-RPC error.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// Result returns the result of a response, or its error as an [*Error].
func Result(m jsonrpc.Message) (json.RawMessage, error) {
	if m.Error == nil {
		return m.Result, nil
	}
	e := &Error{}
	if err := json.Unmarshal(m.Error, e); err != nil {
		return nil, fmt.Errorf("an error that cannot be read: %w", err)
	}
	return nil, e
}
