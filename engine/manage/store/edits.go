package store

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// Edits makes one [Op] of operations of package edit.
func Edits(ops ...edit.Op) Op {
	return OpFunc(func(source []byte) ([]byte, error) {
		result, err := edit.Apply(source, ops...)
		return result.Source, err
	})
}

// LabelFor says in words what operations do, for [Store.Edit].
func LabelFor(ops ...edit.Op) string {
	words := make([]string, len(ops))
	for i, op := range ops {
		words[i] = op.String()
	}
	return strings.Join(words, "; ")
}
