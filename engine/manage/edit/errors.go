package edit

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
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
	Says   words.Text

	// Line and Column are the place in the file, counted as in config.Diagnostic. 0 when there is none.
	Line, Column int
}

// Text returns the sentence, with the place when there is one.
func (e *Error) Text() words.Text {
	if e.Line > 0 {
		return words.New("edit.at", "Line", e.Line, "Column", e.Column, "Why", e.Says)
	}
	return e.Says
}

func (e *Error) Error() string { return e.Text().String() }
func (e *Error) Unwrap() error { return e.Reason }

// SyntaxError is why a file that cannot be read is not edited. It matches [ErrSyntax].
type SyntaxError struct {
	Diagnostic config.Diagnostic
}

// Text returns the sentence of the diagnostic with its place and hint.
func (e *SyntaxError) Text() words.Text {
	d := e.Diagnostic
	return words.New("edit.syntax", "Line", d.Line, "Column", d.Column, "Message", d.Message, "Hint", d.Hint)
}

func (e *SyntaxError) Error() string { return e.Text().String() }
func (e *SyntaxError) Unwrap() error { return ErrSyntax }

func refuse(reason error, says words.Text) error { return &Error{Reason: reason, Says: says} }

// CheckName says why something cannot be called by a name: what config.Parse would call an error. What is
// "toolbox" or "server". The error matches [ErrInvalid].
func CheckName(what, name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		if what == "toolbox" {
			return refuse(ErrInvalid, words.New("edit.empty_toolbox_name"))
		}
		return refuse(ErrInvalid, words.New("edit.empty_server_name"))
	case !utf8.ValidString(name):
		return refuse(ErrInvalid, words.New("edit.name_not_utf8", "Name", strconv.Quote(name)))
	case strings.ContainsFunc(name, unicode.IsControl):
		return refuse(ErrInvalid, words.New("config.control_in_name", "Name", strconv.Quote(name)))
	case strings.TrimSpace(name) != name:
		return refuse(ErrInvalid, words.New("config.space_around_name", "Name", strconv.Quote(name)))
	}
	return nil
}
