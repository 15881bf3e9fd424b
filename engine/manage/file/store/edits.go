package store

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// edits is an [Op] made of operations of package edit.
type edits struct {
	ops  []edit.Op
	says words.Text // if zero, the description of the operations
}

// Edits returns one [Op] that does operations of package edit.
func Edits(ops ...edit.Op) Op { return edits{ops: ops} }

// EditsThat is like [Edits] for operations that one sentence describes, such as an import. The label of the
// edit is its English text.
func EditsThat(says words.Text, ops ...edit.Op) Op { return edits{ops, says} }

// Apply does the operations.
func (e edits) Apply(source []byte) ([]byte, error) {
	return edit.Apply(source, e.ops...)
}

// LabelFor describes operations in words, for [Store.Edit].
func LabelFor(ops ...edit.Op) string {
	words := make([]string, len(ops))
	for i, op := range ops {
		words[i] = op.String()
	}
	return strings.Join(words, "; ")
}

// SayingFor is like [LabelFor] in any language.
func SayingFor(ops ...edit.Op) words.Text { return saying(LabelFor(ops...), []Op{Edits(ops...)}) }

// saying returns the label of an edit in any language. A label that differs from the description of the
// operations is kept as it is.
func saying(label string, ops []Op) words.Text {
	var texts []words.Text
	for _, op := range ops {
		e, ok := op.(edits)
		switch {
		case !ok:
			return words.Foreign(label)
		case !e.says.IsZero():
			texts = append(texts, e.says)
		default:
			for _, op := range e.ops {
				texts = append(texts, edit.Says(op))
			}
		}
	}
	says := words.New("store.edits", "Edits", texts)
	if len(texts) == 1 {
		says = texts[0]
	}
	if says.String() != label {
		return words.Foreign(label)
	}
	return says
}
