package store

import (
	"context"
	"maps"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/unified"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrBrokenVersion is returned for a version that has syntax errors.
const ErrBrokenVersion = words.Code("store.broken_version")

// History returns the versions of the file, the newest first. Damaged versions are left out.
func (s *Store) History() ([]Version, error) {
	if s.historyErr != nil {
		return nil, words.NewError("store.no_history", "Why", s.historyErr)
	}
	return s.history.list()
}

// Version returns a version and its text, which has placeholders instead of secrets.
func (s *Store) Version(id string) (Version, []byte, error) {
	if s.historyErr != nil {
		return Version{}, nil, words.NewError("store.no_history", "Why", s.historyErr)
	}
	return s.history.load(id)
}

// Diff returns what restoring a version would change in the current file, as a unified diff without secrets.
// It is empty if nothing would change.
func (s *Store) Diff(id string) (string, error) {
	version, text, err := s.Version(id)
	if err != nil {
		return "", err
	}
	return unified.Diff("current", version.name(), string(hideSecrets(s.Current().Source, s.history.hasher)),
		string(text)), nil
}

// Changes returns the difference between a version and the one before it, in the form of [Store.Diff].
func (s *Store) Changes(id string) (string, error) {
	version, text, err := s.Version(id)
	if err != nil {
		return "", err
	}
	return unified.Diff("before", version.name(), string(s.history.before(id)), string(text)), nil
}

func (v Version) name() string { return "version " + v.ID }

// Restored is the result of [Store.Restore].
type Restored struct {
	Change

	// Kept are the secrets whose old value is not known any more. They keep the value of the file before the
	// restore.
	Kept []Secret

	// Missing are the secrets for which no value is known. The file refers to an unset variable instead,
	// which must be replaced by typing the value.
	Missing []Secret
}

// Restore replaces the file by a version, whatever the file contains, including syntax errors. It is an edit
// like any other: it can be undone and is recorded in the history.
//
// The secrets of the version are not in the history. They come from the current file and from what this store
// had before; see [Restored].
func (s *Store) Restore(ctx context.Context, id string) (Restored, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return Restored{}, err
	}
	defer leave()
	plan, r, err := s.plan(id)
	if err != nil {
		return Restored{}, err
	}
	plan.Change, err = s.save(ctx, r, true)
	return plan, err
}

// PlanRestore returns what [Store.Restore] would do now. Nothing is saved.
func (s *Store) PlanRestore(id string) (Restored, error) {
	plan, r, err := s.plan(id)
	if err != nil {
		return Restored{}, err
	}
	plan.Change = Change{Label: r.label, Before: r.base, After: r.base, hasher: s.history.hasher}
	if text := r.ops[0].(Text); !same(r.base.Source, text.To) {
		plan.After = config.Parse(s.location.Path, text.To)
	}
	return plan, nil
}

func (s *Store) plan(id string) (Restored, request, error) {
	version, text, err := s.Version(id)
	if err != nil {
		return Restored{}, request{}, err
	}
	s.mu.Lock()
	current, remembered := s.current, maps.Clone(s.memory.byHash)
	var others [][]byte
	for _, steps := range [][]done{s.redo, s.undo} {
		for _, step := range slices.Backward(steps) {
			others = append(others, step.after, step.before)
		}
	}
	s.mu.Unlock()
	if broken(text) {
		return Restored{}, request{}, words.NewError("store.not_restored", "Version", id, "Why", ErrBrokenVersion)
	}
	var plan Restored
	var whole []byte
	whole, plan.Kept, plan.Missing = learn(s.history.hasher, text, current.Source, remembered, others...).resolve(text)
	from := current.Source
	if from == nil {
		from = []byte(config.Empty)
	}
	says := words.New("store.restored", "Version", id, "Time",
		words.At(words.Date(version.Time.Local()), words.Seconds(version.Time.Local())))
	return plan, request{
		label: says.String(),
		says:  says,
		base:  current,
		ops:   []Op{Text{From: from, To: whole}},
		force: true,
	}, nil
}
