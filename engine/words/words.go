// Package words keeps a sentence as data until somebody shows it.
//
// A [Text] is a code with arguments. The words are in assets/translations, in one file for each area and language:
// the code "process.not_found" is in process.en.json, in the format of go-i18n. Write
//
//	"process.not_found": "'{{.Program}}' was not found in the PATH",
//	"toolbox.tools": { "one": "{{.Count}} tool", "other": "{{.Count}} tools" },
//
// there, and in the source
//
//	return words.NewError("process.not_found", "Program", name).Because(ErrNotFound)
//
// Error() is then the English sentence, and words.Is(err, "process.not_found") tells the error from others: no code looks
// into a sentence. Where nothing fails, [New] makes the same as a Text. A sentence without arguments that callers tell from
// others is a constant: const ErrClosed = words.Code("downstream.closed").
//
// An argument is a string that stays as it is in every language (a name, a path, the output of another program), a number,
// a bool for {{if .Name}}, a list of strings or of Texts, another Text, or an error, whose Text is taken when it has one. The number
// with the name Count chooses the plural form. Give a sentence all its arguments, also the empty ones, and never build it
// from parts: word order differs between languages. "{{if .Wrote}}; it wrote: {{.Wrote}}{{end}}" is for what may be missing.
// [And] makes a list that reads "a, b and c".
//
// Whoever shows a Text chooses the language with a [Printer]: the window that of its settings, the commands that of the
// environment ([Environment]), logs English. String and Error give English. Nothing is read before the first text of an area is shown.
//
// The tests of this package hold that each code in the source is in the files with exactly its arguments, and each code in the files in
// the source. They read codes and names of arguments, so write both as literals. wordstest has a made-up language: a test of what is shown
// finds the words that are not in the files with it.
package words

import (
	"errors"
	"fmt"
	"log/slog"
	"reflect"
)

// Code names a sentence: "AREA.NAME", where AREA is its file in assets/translations. A Code is also the sentence without
// arguments, and an error that says it.
type Code string

// Error returns the English sentence.
func (c Code) Error() string { return c.Text().String() }

// Text returns the sentence as a Text.
func (c Code) Text() Text { return Text{Code: c} }

// Text is a sentence as data. It is a plain value that passes through JSON unchanged; the zero Text says nothing.
type Text struct {
	Code Code `json:"code,omitempty"`
	Args Args `json:"args,omitempty"`
	// Foreign is, when Code is empty, a text from elsewhere that has no translation, such as what a server said.
	Foreign string `json:"foreign,omitempty"`
	// Whole makes a whole sentence of a Text that is written to follow a colon.
	Whole bool `json:"whole,omitempty"`
}

// AsSentence returns the same Text as a whole sentence: with a capital letter, unless it may begin with a name, and a full stop.
func (t Text) AsSentence() Text {
	t.Whole = true
	return t
}

// New returns a sentence. Arguments are pairs of a name and a value, as in [log/slog]; see the package for what a value may be.
func New(code Code, args ...any) Text {
	t := Text{Code: code}
	if len(args) > 0 {
		t.Args = make(Args, len(args)/2)
	}
	for i := 0; i+1 < len(args); i += 2 {
		t.Args[fmt.Sprint(args[i])] = argument(args[i+1])
	}
	return t
}

// Foreign returns a text that is shown as it is in every language.
func Foreign(text string) Text { return Text{Foreign: text} }

// Of returns what an error says: its Text when it has one, else its own words as foreign ones.
func Of(err error) Text {
	for e := err; e != nil; e = errors.Unwrap(e) {
		if said, ok := e.(interface{ Text() Text }); ok {
			return said.Text()
		}
		if inner := errors.Unwrap(e); inner == nil || inner.Error() != e.Error() {
			break
		}
	}
	if err == nil {
		return Text{}
	}
	return Foreign(err.Error())
}

// IsZero reports whether t says nothing.
func (t Text) IsZero() bool { return t.Code == "" && t.Foreign == "" }

// Equal reports whether two texts are the same sentence with the same arguments.
func (t Text) Equal(other Text) bool {
	return t.Code == other.Code && t.Foreign == other.Foreign && t.Whole == other.Whole && len(t.Args) == len(other.Args) &&
		(len(t.Args) == 0 || reflect.DeepEqual(t.Args, other.Args))
}

// Map returns the sentence with change made to each of its strings that come from elsewhere: masked, or cut to a length.
func (t Text) Map(change func(string) string) Text {
	if t.Foreign != "" {
		t.Foreign = change(t.Foreign)
	}
	if len(t.Args) == 0 {
		return t
	}
	args := make(Args, len(t.Args))
	for name, value := range t.Args {
		switch value := value.(type) {
		case string:
			args[name] = change(value)
		case []string:
			changed := make([]string, len(value))
			for i := range value {
				changed[i] = change(value[i])
			}
			args[name] = changed
		case Text:
			args[name] = value.Map(change)
		case []Text:
			changed := make([]Text, len(value))
			for i := range value {
				changed[i] = value[i].Map(change)
			}
			args[name] = changed
		default:
			args[name] = value
		}
	}
	t.Args = args
	return t
}

// Size returns about how much memory the sentence takes, in bytes.
func (t Text) Size() int {
	size := len(t.Code) + len(t.Foreign)
	t.Map(func(part string) string {
		size += len(part)
		return part
	})
	return size
}

// LogValue makes logs say the English sentence.
func (t Text) LogValue() slog.Value { return slog.StringValue(t.String()) }

// String returns the English sentence.
func (t Text) String() string { return English().Text(t) }

// Is reports whether err, or one that it wraps, says the sentence with that code.
func Is(err error, code Code) bool { return errors.Is(err, code) }

// Find returns what err, or one that it wraps, says with that code, and whether one does.
func Find(err error, code Code) (Text, bool) {
	if said, ok := err.(interface{ Text() Text }); ok && said.Text().Code == code {
		return said.Text(), true
	}
	switch err := err.(type) {
	case interface{ Unwrap() error }:
		return Find(err.Unwrap(), code)
	case interface{ Unwrap() []error }:
		for _, inner := range err.Unwrap() {
			if found, ok := Find(inner, code); ok {
				return found, true
			}
		}
	}
	return Text{}, false
}

// Error is an error that is data. Make it with [NewError].
type Error struct {
	text  Text
	cause []error
}

// Err returns an error that says t.
func (t Text) Err() *Error { return &Error{text: t} }

// NewError returns an error with a sentence, from the same arguments as [New]. It wraps those arguments that are errors.
func NewError(code Code, args ...any) *Error {
	e := &Error{text: New(code, args...)}
	for i := 1; i < len(args); i += 2 {
		if cause, ok := args[i].(error); ok {
			e.cause = append(e.cause, cause)
		}
	}
	return e
}

// Because makes e wrap one more error, of which its sentence says nothing, and returns e.
func (e *Error) Because(cause error) *Error {
	e.cause = append(e.cause, cause)
	return e
}

// Error returns the English sentence.
func (e *Error) Error() string { return e.text.String() }

// Text returns the sentence as data.
func (e *Error) Text() Text { return e.text }

// Unwrap returns the errors that e wraps.
func (e *Error) Unwrap() []error { return e.cause }

// Is reports whether target is the code of e.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.text.Code
}
