package edit

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// The reasons why an edit is refused, for errors.Is. The texts of the errors say more.
var (
	ErrNotFound  = errors.New("not found")         // what is to be changed is not in the file
	ErrExists    = errors.New("exists already")    // the new name is taken
	ErrInvalid   = errors.New("invalid operation") // the operation itself makes no sense
	ErrSyntax    = errors.New("syntax error")      // the file cannot be read; see [SyntaxError]
	ErrAmbiguous = errors.New("duplicate key")     // the file has a key twice where the edit would have to choose
	ErrWrongType = errors.New("wrong type")        // the file has something else where an object must be

	// ErrBug is a mistake of the program, found before it could do harm.
	ErrBug = errors.New("internal error")
)

// Error is why an edit is refused. It matches one of the reasons above.
type Error struct {
	Reason error
	Text   string

	// Line and Column are the place in the file, counted as in config.Diagnostic. 0 when there is none.
	Line, Column int
}

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text)
	}
	return e.Text
}

func (e *Error) Unwrap() error { return e.Reason }

// SyntaxError is why a file that cannot be read is not edited. It matches [ErrSyntax].
type SyntaxError struct {
	Diagnostic config.Diagnostic
}

func (e *SyntaxError) Error() string {
	d := e.Diagnostic
	text := fmt.Sprintf("line %d, column %d: %s", d.Line, d.Column, d.Message)
	if !d.Hint.IsZero() {
		text += "; " + d.Hint.String()
	}
	return text
}

func (e *SyntaxError) Unwrap() error { return ErrSyntax }

func refuse(reason error, format string, args ...any) error {
	return &Error{Reason: reason, Text: fmt.Sprintf(format, args...)}
}

// CheckName says why something cannot be called by a name: what config.Parse would call an error. What is
// "toolbox" or "server". The error matches [ErrInvalid].
func CheckName(what, name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return refuse(ErrInvalid, "the name of a %s cannot be empty", what)
	case !utf8.ValidString(name):
		return refuse(ErrInvalid, "the name %q is not UTF-8 text", name)
	case strings.ContainsFunc(name, unicode.IsControl):
		return refuse(ErrInvalid, "the name %q has a control character, such as a tab or a line break", name)
	case strings.TrimSpace(name) != name:
		return refuse(ErrInvalid, "the name %q begins or ends with a space", name)
	}
	return nil
}
