package toolbox

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// If no server of a toolbox could be connected and it has only one, the error names it. Otherwise the error
// lists all.
func TestAllFailed(t *testing.T) {
	failure := func(server string) *Error {
		return newError(contract.Unavailable, contract.Details{Toolbox: "dev", Server: server}, nil,
			words.New("toolbox.tool_unread"))
	}
	if e := allFailed([]*Error{failure("a")}); e.Details.Server != "a" || len(e.Hints) != 0 {
		t.Errorf("one: %+v", e)
	}
	if e := allFailed([]*Error{failure("a"), failure("b"), failure("c")}); e.Details.Server != "" ||
		e.Details.Toolbox != "dev" || len(e.Hints) != 2 {
		t.Errorf("three: %+v", e)
	}
}

// Up to fifty possible names are listed; the rest are counted.
func TestManyNamesAreCounted(t *testing.T) {
	var names []string
	for i := range 52 {
		names = append(names, fmt.Sprintf("tool%d", i))
	}
	for n, want := range map[int]string{50: "tool49", 52: "tool49 and 2 more"} {
		var e Error
		e.hintAvailable("toolbox.available_tools", names[:n])
		if got := e.Hints[0].String(); !strings.HasSuffix(got, want) {
			t.Errorf("for %d names, the hint is %s", n, got)
		}
	}
}

// The code in the envelope of a failed call distinguishes the caller's mistakes from other failures.
func TestCodeOf(t *testing.T) {
	for code, want := range map[int64]contract.Code{
		jsonrpc.CodeInvalidParams: contract.InvalidInput, jsonrpc.CodeInvalidRequest: contract.InvalidInput,
		jsonrpc.CodeInternalError: contract.InternalError, jsonrpc.CodeMethodNotFound: contract.InternalError,
	} {
		if got := codeOf(&downstream.RPCError{Code: code}); got != want {
			t.Errorf("%d is %s, want %s", code, got, want)
		}
	}
	if got := codeOf(downstream.ErrSignIn); got != contract.AuthRequired {
		t.Errorf("a sign-in is %s", got)
	}
	if got := codeOf(io.EOF); got != contract.Unavailable {
		t.Errorf("the end of a connection is %s", got)
	}
}
