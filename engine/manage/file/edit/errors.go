package edit

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The reasons why an edit is refused, for errors.Is. The texts of the errors have details.
var (
	ErrNotFound  = errors.New("not found")         // the file does not have what is to be changed
	ErrExists    = errors.New("exists already")    // the new name is in use
	ErrInvalid   = errors.New("invalid operation") // the operation itself is wrong
	ErrSyntax    = errors.New("syntax error")      // the file cannot be parsed; see [SyntaxError]
	ErrAmbiguous = errors.New("duplicate key")     // the file has a key twice, and the edit would have to choose one
	ErrWrongType = errors.New("wrong type")        // the file has another type of value where an object is needed

	// ErrBug is a bug in this program that was found before it could do harm.
	ErrBug = errors.New("internal error")
)

// Error says why an edit is refused. It matches one of the reasons above.
type Error struct {
	Reason error
	Says   words.Text

	// Line and Column are the place in the file, counted as in config.Diagnostic. Both are 0 if there is no
	// place.
	Line, Column int
}

// Text returns the sentence, with the place if there is one.
func (e *Error) Text() words.Text {
	if e.Line > 0 {
		return words.New("edit.at", "Line", e.Line, "Column", e.Column, "Why", e.Says)
	}
	return e.Says
}

func (e *Error) Error() string { return e.Text().String() }
func (e *Error) Unwrap() error { return e.Reason }

// SyntaxError says why a file that cannot be parsed is not edited. It matches [ErrSyntax].
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

// CheckName returns an error for a name that config.Parse would report as an error. what is "toolbox" or
// "server". The error matches [ErrInvalid].
func CheckName(what, name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		if what == "toolbox" {
			return refuse(ErrInvalid, words.New("edit.empty_toolbox_name"))
		}
		return refuse(ErrInvalid, words.New("edit.empty_server_name"))
	case !utf8.ValidString(name):
		return refuse(ErrInvalid, words.New("edit.name_not_utf8", "Name", words.Quoted(name)))
	case strings.ContainsFunc(name, unicode.IsControl):
		return refuse(ErrInvalid, words.New("config.control_in_name", "Name", words.Quoted(name)))
	case strings.TrimSpace(name) != name:
		return refuse(ErrInvalid, words.New("config.space_around_name", "Name", words.Quoted(name)))
	}
	return nil
}
