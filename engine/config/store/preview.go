package store

import (
	"fmt"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// Preview returns what [Store.Edit] would do now, without doing it. Nothing is saved, and the errors are
// the same as far as they don't come from saving.
func (s *Store) Preview(label string, ops ...Op) (Change, error) {
	r := request{label: label, base: s.Current(), ops: ops}
	mending := r.mends(r.base.Source)
	if broken(r.base.Source) && !mending {
		return Change{}, &BrokenError{r.base}
	}
	source, err := applyAll(r.base.Source, ops)
	if err != nil {
		return Change{}, fmt.Errorf("the edit was not made: %w", err)
	}
	change := Change{Label: label, Before: r.base, After: r.base, hasher: s.hasher}
	if same(source, r.base.Source) {
		return change, nil
	}
	change.After = config.Parse(s.location.Path, source)
	return change, r.check(r.base, change.After, mending)
}
