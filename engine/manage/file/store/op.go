package store

import (
	"bytes"

	"github.com/aymanbagabas/go-udiff"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Op is an edit. It says what to change and does not depend on offsets, so that it can be done again if the
// file has changed meanwhile. It must not modify source, and must always have the same result for the same
// source.
type Op interface {
	Apply(source []byte) ([]byte, error)
}

// OpFunc is a function used as an [Op].
type OpFunc func(source []byte) ([]byte, error)

// Apply calls the function.
func (f OpFunc) Apply(source []byte) ([]byte, error) { return f(source) }

// Text is the [Op] of a text editor: the user changed From to To. On another text, it changes the same lines
// if they are still the same there.
//
// It is the only Op that may change a file with syntax errors, and only if From is exactly the content of the
// file.
type Text struct {
	From, To []byte

	// Read is the document of To, if there is one already; nil otherwise.
	Read *config.Document
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
			// Adjacent changes count too, since their order is not known.
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

// applyAll applies Ops one after the other. A file that does not exist starts as an empty configuration.
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
		source = []byte{} // nil would mean no file
	}
	return source, nil
}
