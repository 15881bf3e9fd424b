package clients

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/excerpt"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Apply carries out a plan. Each file is read again just before it is written, and is not changed if it
// differs from what the plan was made for. If a file fails, the files after it are not changed; the error is
// then a [RefusedError], or a [RunningError] if nothing has been changed yet. A client's own commands are run
// until ctx ends.
func (r *Registrar) Apply(ctx context.Context, plan Plan) error {
	if len(plan.Runs) > 0 {
		return r.run(ctx, plan)
	}
	if plan.Changed() {
		if err := r.CheckRunning(plan.Client); err != nil {
			return err
		}
	}
	for _, change := range plan.Changes {
		var err error
		if plan.Connect && !change.former {
			if change.Changed() { // people may have thought about the plan for a while
				change.record.Time = r.now().UTC()
			}
			err = r.write(change)
		} else {
			err = r.takeOut(change)
		}
		if err != nil {
			return &RefusedError{change.File, err}
		}
	}
	return nil
}

// write stores a backup and a record first and then writes the file, so that the change can be undone even if
// the program dies in between.
func (r *Registrar) write(change Change) error {
	record := change.record
	if !change.Changed() {
		return r.ledger.put(record)
	}
	if record.Before != "" && record.Backup == "" && change.file.Whole() {
		name, err := r.ledger.backup(record.Client, change.Before)
		if err != nil {
			return err
		}
		record.Backup = name
	}
	if change.Before == nil {
		record.Folders = missingFolders(change.File)
	}
	records, err := r.ledger.records()
	if err != nil {
		return err
	}
	if err := r.ledger.put(record); err != nil {
		return err
	}
	if err = change.replace(); err == nil || errors.Is(err, errNotKept) {
		return err
	}
	removeFolders(record)
	if i := slices.IndexFunc(records, record.sameFile); i >= 0 {
		return errors.Join(err, r.ledger.put(records[i]))
	}
	return errors.Join(err, r.ledger.drop(record))
}

func (r *Registrar) takeOut(change Change) error {
	switch {
	case !change.Changed():
	case change.After == nil:
		now, err := excerpt.SumOf(change.File)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if now != sumOf(change.file) {
			return atomicfile.ErrChanged
		}
		target, err := atomicfile.FollowLinks(change.File)
		if err == nil {
			err = os.Remove(target)
		}
		if err != nil {
			return err
		}
		removeFolders(change.record)
	default:
		if err := change.replace(); err != nil {
			return err
		}
	}
	if !change.forget {
		return nil
	}
	if err := r.ledger.drop(change.record); err != nil {
		return err
	}
	if record := change.record; record.Backup != "" && excerpt.Sum(change.After) == record.Before {
		r.ledger.discard(record.Backup) // the file was not changed
	}
	return nil
}

// removeFolders removes the folders that we made, unless they contain something now.
func removeFolders(record Record) {
	for _, folder := range record.Folders {
		_ = os.Remove(folder) // fails if it is not empty
	}
}

const errNotKept = words.Code("clients.not_kept")

// StillThere checks whether the entries of an applied plan are in their files. It returns the first file
// without its entry, or "".
func (r *Registrar) StillThere(plan Plan) (lost string, err error) {
	for _, change := range plan.Changes {
		if change.former {
			continue
		}
		now, err := plan.Client.Content(change.File)
		if err != nil {
			return change.File, err
		}
		d, err := plan.Client.read(textOf(now))
		if err != nil {
			return change.File, err
		}
		if value, ok := d.entries()[change.Name]; !ok || !plan.Client.ours(value, change.record) {
			return change.File, nil
		}
	}
	return "", nil
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// RefusedError says why a client's file was not changed.
type RefusedError struct {
	Path string
	Err  error
}

func (e *RefusedError) Unwrap() error { return e.Err }

// Error returns the sentence in English.
func (e *RefusedError) Error() string { return e.Text().String() }

// Text returns what is wrong, where, and what to do.
func (e *RefusedError) Text() words.Text {
	switch {
	case errors.Is(e.Err, atomicfile.ErrChanged):
		return words.New("clients.refused_changed", "File", e.Path)
	case errors.Is(e.Err, errNotKept):
		return words.New("clients.refused_not_kept", "File", e.Path)
	case errors.Is(e.Err, atomicfile.ErrIsFolder):
		return words.New("clients.refused_folder", "File", e.Path)
	case errors.Is(e.Err, atomicfile.ErrNotAFile):
		return words.New("clients.refused_device", "File", e.Path)
	case errors.Is(e.Err, atomicfile.ErrLinks):
		return words.New("clients.refused_links", "File", e.Path, "Why", e.Err)
	case errors.Is(e.Err, ErrUnreadable):
		return words.New("clients.refused_unreadable", "File", e.Path, "Why", e.Err)
	case errors.Is(e.Err, ErrShape):
		return words.New("clients.refused_shape", "File", e.Path, "Why", e.Err)
	case atomicfile.IsFull(e.Err):
		return words.New("clients.refused_full", "File", e.Path, "Why", e.Err)
	case paths.Withheld(e.Err):
		return words.New("clients.refused", "File", e.Path, "Why", paths.Cause(e.Err))
	case errors.Is(e.Err, fs.ErrPermission):
		return words.New("clients.refused_permission", "File", e.Path)
	}
	return words.New("clients.refused", "File", e.Path, "Why", e.Err)
}
