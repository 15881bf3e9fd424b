package clients

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/excerpt"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Moving is a plan to remove other programs' entries from a client's file, because their servers are in a
// toolbox now. Nothing has been changed yet.
type Moving struct {
	Client Client
	File   string
	Names  []string // of the entries

	change Change
}

// Diff returns the change to the file, with secrets masked.
func (m Moving) Diff() string { return m.change.diff }

// Difference is the change to a file, as a unified diff with secrets masked.
type Difference struct{ File, Unified string }

// Differences returns the changes to the files of a client when a plan connects it and entries of its own are
// removed at the same time. Each file occurs once, with removed and added entries in the same diff. If the
// entries cannot be removed, it has the plan's own changes.
func (r *Registrar) Differences(plan Plan, out []Moving) []Difference {
	var all []Difference
	used := make([]bool, len(out))
	for _, change := range plan.Changes {
		for i, moving := range out {
			if moving.File != change.File || moving.Client.ID != plan.Client.ID {
				continue
			}
			used[i] = true
			if both, err := planMove(plan.Client, change.File, change.After, moving.Names); err == nil {
				change.After = both.change.After
			}
		}
		if change.Changed() {
			all = append(all, Difference{change.File, plan.Client.diff(change)})
		}
	}
	for i, moving := range out {
		if !used[i] {
			all = append(all, Difference{moving.File, moving.Diff()})
		}
	}
	return all
}

// DifferencesBack returns the changes to the files of a client when a plan disconnects it and moves are undone after
// that. It leaves out what [Registrar.GiveBack] would refuse, and apps whose files are only read.
func (r *Registrar) DifferencesBack(plan Plan, moves []Move) []Difference {
	changes := slices.Clone(plan.Changes)
	for _, move := range slices.Backward(moves) {
		c, known := ByID(move.Client)
		if !known { // the format of its file is not known, so secrets in it could not be hidden
			continue
		}
		c, _ = c.form(move.File)
		at := slices.IndexFunc(changes, func(change Change) bool { return change.File == move.File })
		if at < 0 {
			now, err := c.Content(move.File)
			if err != nil || now == nil {
				continue
			}
			at, changes = len(changes), append(changes, Change{File: move.File, Before: now.Text, After: now.Text})
		}
		change := &changes[at]
		if before, err := os.ReadFile(r.BackupOf(move)); err == nil {
			if after, err := c.given(change.After, excerpt.Sum(change.After), before, move); err == nil {
				change.After = after
			}
		}
	}
	var all []Difference
	for _, change := range changes {
		if change.Changed() {
			all = append(all, Difference{change.File, plan.Client.diff(change)})
		}
	}
	return all
}

// given returns the content of a file after a move is undone. now is its content, and sum the checksum of that.
func (c Client) given(now []byte, sum string, before []byte, m Move) ([]byte, error) {
	switch {
	case sum == m.After:
		return before, nil
	case c.ID == "": // an app whose file is only read
		return nil, misshapen(words.New("clients.changed_since"))
	}
	return c.putBack(now, before, m.Names)
}

// PlanMove plans to remove entries from a file, whose content is source. The rest of the file stays as it is.
func (r *Registrar) PlanMove(c Client, file string, source *excerpt.File, names []string) (Moving, error) {
	m, err := planMove(c, file, source.Text, names)
	m.change.file = source
	return m, err
}

func planMove(c Client, file string, source []byte, names []string) (Moving, error) {
	m := Moving{Client: c, File: file, Names: names, change: Change{File: file, Before: source, After: source}}
	refuse := func(err error) (Moving, error) {
		if errors.Is(err, ErrShape) {
			return m, words.NewError("clients.take_out_by_hand", "File", file, "Why", err)
		}
		return m, &RefusedError{file, err}
	}
	for _, name := range names {
		d, err := c.read(m.change.After)
		if err != nil {
			return refuse(err)
		}
		value, there := d.entries()[name]
		switch {
		case c.ByHand != "":
			return refuse(misshapen(c.Say(c.ByHand)))
		case !there:
			return refuse(misshapen(words.New("clients.no_entry", "Name", words.Quoted(name))))
		case c.ours(value, Record{}):
			return refuse(misshapen(words.New("clients.our_entry", "Name", words.Quoted(name))))
		}
		if m.change.After, err = d.without(name, "", false); err != nil {
			return refuse(err)
		}
	}
	m.change.diff = c.diff(m.change)
	return m, nil
}

// Move records the entries that were removed from a client's file, so that they can be put back. It does not
// say whether the client is connected.
type Move struct {
	Client string    `json:"client"`
	File   string    `json:"file"`
	Names  []string  `json:"names"`
	Time   time.Time `json:"time"`

	// Before and After are the SHA-256 of the whole file in hexadecimal. Backup is the name of the copy of
	// the file before the move.
	Before string `json:"before"`
	After  string `json:"after"`
	Backup string `json:"backup"`

	// Excerpt is the SHA-256 of the copy if that is only an excerpt of a large file; otherwise it is "".
	Excerpt string `json:"excerpt,omitempty"`
}

// Move removes the entries, after it has stored a copy of the file. It changes nothing if the file is not
// what the plan was made for; the error is then a [RefusedError], or a [RunningError] if the client must be
// quit first.
func (r *Registrar) Move(m Moving) (Move, error) {
	done := Move{Client: m.Client.ID, File: m.File, Names: m.Names, Time: r.now().UTC(), Before: m.change.file.Sum()}
	if err := r.CheckRunning(m.Client); err != nil {
		return done, err
	}
	if !m.change.file.Whole() {
		done.Excerpt = excerpt.Sum(m.change.Before)
	}
	var err error
	if done.After, err = m.change.sum(); err != nil {
		return done, &RefusedError{m.File, err}
	}
	// Backups of moves have their own names, since the backups of records are removed at other times.
	if done.Backup, err = r.ledger.backup("moved-"+m.Client.ID, m.change.Before); err != nil {
		return done, &RefusedError{m.File, err}
	}
	if err := r.ledger.moves().change(func(file *movesFile) bool {
		file.Moves = append(file.Moves, done)
		return true
	}); err != nil {
		return done, &RefusedError{m.File, err}
	}
	switch err := m.change.replace(); {
	case errors.Is(err, errNotKept):
		return done, &RefusedError{m.File, err}
	case err != nil:
		return done, &RefusedError{m.File, errors.Join(err, r.ledger.forget(done))}
	}
	return done, nil
}

// Moves returns the moves that can be undone, the oldest first.
func (r *Registrar) Moves() ([]Move, error) {
	file, _, err := r.ledger.moves().load()
	return file.Moves, err
}

// BackupOf returns the path of the copy of a file before a move.
func (r *Registrar) BackupOf(m Move) string {
	return filepath.Join(r.ledger.folder, filepath.Base(m.Backup))
}

// GiveBack restores a file to its state before a move. If anything else in it has changed, for example
// because the client has rewritten it, only the entries are put back.
func (r *Registrar) GiveBack(m Move) error {
	c, ok := ByID(m.Client)
	if ok {
		c, _ = c.form(m.File)
		if err := r.CheckRunning(c); err != nil {
			return err
		}
	}
	now, err := c.Content(m.File)
	if err != nil {
		return &RefusedError{m.File, err}
	}
	before, err := os.ReadFile(r.BackupOf(m))
	switch {
	case err != nil || excerpt.Sum(before) != cmp.Or(m.Excerpt, m.Before):
		return &RefusedError{m.File, words.NewError("clients.copy_changed", "Copy", r.BackupOf(m))}
	case now == nil:
		return words.NewError("clients.gone", "File", m.File, "Copy", r.BackupOf(m))
	}
	change := Change{File: m.File, Before: now.Text, file: now}
	if change.After, err = c.given(now.Text, now.Sum(), before, m); err != nil {
		return words.NewError("clients.not_given_back", "File", m.File, "Why", err, "Copy", r.BackupOf(m))
	}
	if err := change.replace(); err != nil {
		return &RefusedError{m.File, err}
	}
	return r.ledger.forget(m)
}

type movesFile struct {
	Format int    `json:"format"`
	Moves  []Move `json:"moves"`
}

// moves returns the list of moves. It is separate from the records, which say what is connected.
func (l ledger) moves() notes[movesFile] {
	return notes[movesFile]{
		l, filepath.Join(l.folder, "moves.json"), "clients.moves_unread",
		func() movesFile { return movesFile{Format: notesFormat} }, true,
	}
}

// forget removes a move, and its backup if no other move needs it.
func (l ledger) forget(m Move) error {
	needed := false
	err := l.moves().change(func(file *movesFile) bool {
		file.Moves = slices.DeleteFunc(file.Moves, func(other Move) bool {
			return other.File == m.File && other.After == m.After && other.Time.Equal(m.Time)
		})
		needed = slices.ContainsFunc(file.Moves, func(other Move) bool { return other.Backup == m.Backup })
		return true
	})
	if err == nil && !needed {
		_ = os.Remove(filepath.Join(l.folder, filepath.Base(m.Backup)))
	}
	return err
}
