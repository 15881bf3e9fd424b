package store

import (
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrReadOnly is returned when a store that was opened with [Options].ReadOnly is asked to save.
const ErrReadOnly = words.Code("store.read_only")

// Preview returns what [Store.Edit] would do to the current document, but does not do it. Its errors are
// those of Edit, except for errors of saving.
func (s *Store) Preview(label string, ops ...Op) (Change, error) {
	return s.preview(request{label: label, base: s.Current(), ops: ops})
}

// PreviewSaying is like [Store.Preview] with a label in any language.
func (s *Store) PreviewSaying(says words.Text, ops ...Op) (Change, error) {
	return s.preview(request{label: says.String(), says: says, base: s.Current(), ops: ops})
}

func (s *Store) preview(r request) (Change, error) {
	after, err := s.applyOps(r)
	if err != nil {
		return Change{}, err
	}
	if same(after.Source, r.base.Source) {
		after = r.base
	}
	return Change{Label: r.label, Says: r.sentence(), Before: r.base, After: after, hasher: s.history.hasher}, nil
}
