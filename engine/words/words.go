// Package words keeps sentences as data until they are shown.
//
// A [Text] is a code with arguments. The words are in assets/translations, in one file for each area and
// language: the code "process.not_found" is in process.en.json, in the format of go-i18n. Write
//
//	"process.not_found": "'{{.Program}}' was not found in the PATH",
//	"toolbox.tools": { "one": "{{.Count}} tool", "other": "{{.Count}} tools" },
//
// there, and in the source
//
//	return words.NewError("process.not_found", "Program", name).Because(ErrNotFound)
//
// Error() then returns the English sentence, and words.Is(err, "process.not_found") recognises the error, so
// that no code has to inspect a sentence. For a sentence that is no error, use [New]. A sentence without
// arguments that callers want to recognise is a constant: const ErrClosed = words.Code("downstream.closed").
//
// An argument is a string that is the same in every language (a name, a path, the output of another program),
// a number, a bool for {{if .Name}}, a list of strings or of Texts, another Text, or an error, whose Text is
// used if it has one. The number named Count chooses the plural form. Give a sentence all its arguments,
// including empty ones, and never build it from parts, since the order of words differs between languages.
// For a part that may be missing, write "{{if .Wrote}}; it wrote: {{.Wrote}}{{end}}". [And] makes the list
// "a, b and c".
//
// Code that shows a Text chooses the language with a [Printer]: the window uses its settings, the commands
// the environment ([Environment]), and logs English. String and Error return English. The words of an area
// are read when its first text is shown.
//
// The tests of this package check that each code in the source code is in the files with exactly its
// arguments, and that each code in the files is used. They parse the source code, so write codes and argument
// names as literals. Package wordstest has an invented language, with which tests find displayed words that
// are not in the files.
package words

import (
	"errors"
	"fmt"
	"log/slog"
	"reflect"
)

// Code identifies a sentence: "AREA.NAME", where AREA is its file in assets/translations. A Code is also the
// sentence without arguments, and an error with that sentence.
type Code string

// Error returns the English sentence.
func (c Code) Error() string { return c.Text().String() }

// Text returns the sentence as a Text.
func (c Code) Text() Text { return Text{Code: c} }

// Text is a sentence as data. It is a plain value that can be written as JSON and read without changes. The
// zero Text is empty.
type Text struct {
	Code Code `json:"code,omitempty"`
	Args Args `json:"args,omitempty"`
	// Foreign is a text without a translation, such as the words of a server. It is used if Code is empty.
	Foreign string `json:"foreign,omitempty"`
	// Whole turns a Text that is written to follow a colon into a whole sentence.
	Whole bool `json:"whole,omitempty"`
}

// AsSentence returns the Text as a whole sentence: with a capital letter, unless it may begin with a name,
// and a full stop.
func (t Text) AsSentence() Text {
	t.Whole = true
	return t
}

// New returns a sentence. The arguments are pairs of a name and a value, as in [log/slog]; see the package
// documentation for the types of values.
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

// Foreign returns a text that is the same in every language.
func Foreign(text string) Text { return Text{Foreign: text} }

// Of returns the text of an error: its Text if it has one, or a sentence for what networks often refuse, else its
// message as a foreign text.
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
	if alone(err) {
		if said := Network(err); !said.IsZero() {
			return said
		}
	}
	return Foreign(err.Error())
}

// IsZero reports whether t is empty.
func (t Text) IsZero() bool { return t.Code == "" && t.Foreign == "" }

// Equal reports whether two texts are the same sentence with the same arguments.
func (t Text) Equal(other Text) bool {
	return t.Code == other.Code && t.Foreign == other.Foreign && t.Whole == other.Whole &&
		len(t.Args) == len(other.Args) &&
		(len(t.Args) == 0 || reflect.DeepEqual(t.Args, other.Args))
}

// Map returns the sentence with change applied to each of its foreign strings, for example to mask or to
// shorten them.
func (t Text) Map(change func(string) string) Text {
	if t.Foreign != "" {
		t.Foreign = change(t.Foreign)
	}
	return t.mapArgs(change, func(inner Text) Text { return inner.Map(change) })
}

// MapQuoted returns the sentence with change applied to each value that [Quoted] has put into it.
func (t Text) MapQuoted(change func(string) string) Text {
	if t.Code == "format.quoted" {
		return t.Map(change)
	}
	return t.mapArgs(func(text string) string { return text }, func(inner Text) Text { return inner.MapQuoted(change) })
}

// mapArgs returns the sentence with part applied to its strings, and inner to the sentences in it.
func (t Text) mapArgs(part func(string) string, inner func(Text) Text) Text {
	if len(t.Args) == 0 {
		return t
	}
	args := make(Args, len(t.Args))
	for name, value := range t.Args {
		switch value := value.(type) {
		case string:
			args[name] = part(value)
		case []string:
			args[name] = mapped(value, part)
		case Text:
			args[name] = inner(value)
		case []Text:
			args[name] = mapped(value, inner)
		default:
			args[name] = value
		}
	}
	t.Args = args
	return t
}

func mapped[T any](list []T, change func(T) T) []T {
	changed := make([]T, len(list))
	for i, value := range list {
		changed[i] = change(value)
	}
	return changed
}

// Size returns roughly how much memory the sentence takes, in bytes.
func (t Text) Size() int {
	size := len(t.Code) + len(t.Foreign)
	t.Map(func(part string) string {
		size += len(part)
		return part
	})
	return size
}

// LogValue implements [slog.LogValuer] with the English sentence.
func (t Text) LogValue() slog.Value { return slog.StringValue(t.String()) }

// String returns the English sentence.
func (t Text) String() string { return English().Text(t) }

// Is reports whether err, or an error that it wraps, is the sentence with this code.
func Is(err error, code Code) bool { return errors.Is(err, code) }

// Find returns the text with this code of err, or of an error that it wraps, and whether there is one.
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

// Error is an error as data. Make it with [NewError].
type Error struct {
	text  Text
	cause []error
}

// Err returns an error with the sentence t.
func (t Text) Err() *Error { return &Error{text: t} }

// NewError returns an error with a sentence, from the same arguments as [New]. It wraps the arguments that
// are errors.
func NewError(code Code, args ...any) *Error {
	e := &Error{text: New(code, args...)}
	for i := 1; i < len(args); i += 2 {
		if cause, ok := args[i].(error); ok {
			e.cause = append(e.cause, cause)
		}
	}
	return e
}

// Because makes e wrap another error, which its sentence does not mention, and returns e.
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
