package store

import (
	"bytes"

	"github.com/aymanbagabas/go-udiff"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Op is an edit: it says what is to be done and not at which bytes, so that it can be done again
// when the file turns out to have changed meanwhile. It must not change source, and must do the
// same each time.
type Op interface {
	Apply(source []byte) ([]byte, error)
}

// OpFunc makes a function an [Op].
type OpFunc func(source []byte) ([]byte, error)

// Apply calls the function.
func (f OpFunc) Apply(source []byte) ([]byte, error) { return f(source) }

// Text is the [Op] of a text editor: the user changed From to To. Applied to another text, it changes the
// same lines if they are still the same there.
//
// It is the only Op that may change a file with syntax errors, and only when From is exactly what is in
// the file.
type Text struct {
	From, To []byte
}

const errOverlap = words.Code("store.overlap")

// Apply returns the edited text.
func (t Text) Apply(source []byte) ([]byte, error) {
	if bytes.Equal(source, t.From) {
		return t.To, nil
	}
	from := string(t.From)
	ours, theirs := udiff.Lines(from, string(t.To)), udiff.Lines(from, string(source))
	for _, a := range ours {
		for _, b := range theirs {
			// Edits that touch count too: nobody can say then what comes first.
			if a != b && a.Start <= b.End && b.Start <= a.End {
				return nil, errOverlap
			}
		}
	}
	merged, ok := udiff.Merge(ours, theirs)
	if !ok {
		return nil, errOverlap
	}
	return udiff.ApplyBytes(t.From, merged)
}

// applyAll applies one Op after the other. A file that doesn't exist begins as an empty configuration.
func applyAll(source []byte, ops []Op) ([]byte, error) {
	if source == nil {
		source = []byte(config.Empty)
	}
	for _, op := range ops {
		result, err := op.Apply(source)
		if err != nil {
			return nil, err
		}
		source = result
	}
	if source == nil {
		source = []byte{} // nil would be no file
	}
	return source, nil
}
