package clients

import (
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Loss is that our entry has vanished from a client's file, and what was done about it.
type Loss struct {
	Client string    `json:"client"`
	File   string    `json:"file"`
	Made   time.Time `json:"made"` // when the entry was made. An entry that is made anew has another time, and its loss is another one

	// Mended is when the entry was put back; zero when it was not. Told is set when that has been said.
	Mended time.Time `json:"mended,omitzero"`
	Told   bool      `json:"told,omitempty"`

	// Asks is set when a person has to say whether the entry belongs there: Again, because it has vanished after it was put back; Reason says why
	// it could not be put back, else nothing. Why is the same in English, for older versions.
	Asks   bool       `json:"asks,omitempty"`
	Again  bool       `json:"again,omitempty"`
	Why    string     `json:"why,omitempty"`
	Reason words.Text `json:"reason,omitzero"`
}

// Explanation says why the entry could not be put back; nothing when that was not tried.
func (l Loss) Explanation() words.Text {
	if l.Reason.IsZero() {
		return words.Foreign(l.Why)
	}
	return l.Reason
}

func (l Loss) equal(other Loss) bool { return reflect.DeepEqual(l, other) }

// lossFile keeps losses over restarts, so that a fight with another program does not begin anew with each of them.
type lossFile struct {
	Format int    `json:"format"`
	Losses []Loss `json:"losses"`
}

func (l ledger) losses() notes[lossFile] {
	return notes[lossFile]{
		l, filepath.Join(l.folder, "guard.json"), "clients.losses_unread",
		func() lossFile { return lossFile{Format: notesFormat} }, false,
	}
}

func (f *lossFile) find(record Record) *Loss {
	i := slices.IndexFunc(f.Losses, func(loss Loss) bool { return loss.of(record) })
	if i < 0 {
		return nil
	}
	return &f.Losses[i]
}

// of reports whether a loss is one of the entry of a record, or of one that was there before it.
func (l Loss) of(record Record) bool { return l.Client == record.Client && l.File == record.File }

// put keeps a loss in place of the one of the same file and client.
func (f *lossFile) put(loss Loss) {
	f.drop(func(other Loss) bool { return other.Client == loss.Client && other.File == loss.File })
	f.Losses = append(f.Losses, loss)
}

func (f *lossFile) drop(which func(Loss) bool) (changed bool) {
	before := len(f.Losses)
	f.Losses = slices.DeleteFunc(f.Losses, which)
	return len(f.Losses) != before
}

// keepLoss keeps a loss.
func (r *Registrar) keepLoss(loss Loss) error {
	return r.ledger.losses().change(func(file *lossFile) bool {
		file.put(loss)
		return true
	})
}

// presence is how our entry is in its file.
type presence int

const (
	present  presence = iota
	gone              // or the whole file is
	replaced          // another one has its name
	unclear           // nobody knows
)

// presence tells how the entry of a record is. One that was changed but is ours is there.
func (r *Registrar) presence(c Client, record Record) presence {
	source, err := readFile(record.File)
	switch {
	case err != nil:
		return unclear
	case source == nil:
		return gone
	}
	form, _ := c.form(record.File)
	d, err := form.read(source)
	if err != nil {
		return unclear
	}
	if _, ours := d.choose(record); ours {
		return present
	}
	if _, other := d.entries()[record.Name]; other {
		return replaced
	}
	return gone
}

// LeaveOut takes it that the entries of a client that have vanished are not wanted: they are forgotten, and the client is as if it had
// been disconnected. Its files are not touched.
func (r *Registrar) LeaveOut(c Client) error {
	records, err := r.ledger.records()
	if err != nil {
		return err
	}
	for _, record := range records {
		if record.Client != c.ID {
			continue
		}
		if is := r.presence(c, record); is == gone || is == replaced {
			if err := r.ledger.drop(record); err != nil {
				return err
			}
		}
	}
	return r.ledger.losses().change(func(file *lossFile) bool {
		return file.drop(func(loss Loss) bool { return loss.Client == c.ID })
	})
}

// mends reports whether an entry that vanishes from a client's file is put back without asking. Only a client that is known to write its file
// from memory, and that can be seen to run, has most likely dropped it by itself; from all others a person has taken it.
func (c Client) mends() bool { return c.Rewriting == client.FromMemory && len(c.Programs) > 0 }

// Mends reports whether the guard puts the lost entry back as soon as the client does not run.
func (s Status) Mends() bool {
	return s.State == Lost && s.Client.mends() && (s.Loss == nil || !s.Loss.Asks)
}
