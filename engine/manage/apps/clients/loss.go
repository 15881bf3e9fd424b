package clients

import (
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Loss records that our entry has disappeared from a client's file, and what was done about it.
type Loss struct {
	Client string    `json:"client"`
	File   string    `json:"file"`
	Made   time.Time `json:"made"` // when the entry was made; a new entry has another time, and its loss is a new loss

	// Mended is when the entry was put back; zero if it was not. Told is set when that has been reported.
	Mended time.Time `json:"mended,omitzero"`
	Told   bool      `json:"told,omitempty"`

	// Asks is set if a person must decide whether the entry belongs there. Again is set if it disappeared
	// after it was put back. Reason says why it could not be put back; it is zero if that was not tried. Why
	// is Reason in English, for older versions.
	Asks   bool       `json:"asks,omitempty"`
	Again  bool       `json:"again,omitempty"`
	Why    string     `json:"why,omitempty"`
	Reason words.Text `json:"reason,omitzero"`
}

// Explanation returns why the entry could not be put back; the zero text if that was not tried.
func (l Loss) Explanation() words.Text {
	if l.Reason.IsZero() {
		return words.Foreign(l.Why)
	}
	return l.Reason
}

func (l Loss) equal(other Loss) bool { return reflect.DeepEqual(l, other) }

// lossFile keeps the losses across restarts, so that a fight with another program does not start again after
// each.
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

// of reports whether a loss is about the entry of a record, or about an earlier entry in its place.
func (l Loss) of(record Record) bool { return l.Client == record.Client && l.File == record.File }

// put stores a loss in place of an older one for the same file and client.
func (f *lossFile) put(loss Loss) {
	f.drop(func(other Loss) bool { return other.Client == loss.Client && other.File == loss.File })
	f.Losses = append(f.Losses, loss)
}

func (f *lossFile) drop(which func(Loss) bool) (changed bool) {
	before := len(f.Losses)
	f.Losses = slices.DeleteFunc(f.Losses, which)
	return len(f.Losses) != before
}

// keepLoss stores a loss.
func (r *Registrar) keepLoss(loss Loss) error {
	return r.ledger.losses().change(func(file *lossFile) bool {
		file.put(loss)
		return true
	})
}

// presence says whether our entry is in its file.
type presence int

const (
	present  presence = iota
	gone              // or the whole file is gone
	replaced          // another entry has its name
	unclear           // unknown, since the file cannot be read
)

// presence returns whether the entry of a record is in its file. An entry that was changed but still starts
// Workbench is present.
func (r *Registrar) presence(c Client, record Record) presence {
	form, _ := c.form(record.File)
	source, err := form.Content(record.File)
	switch {
	case err != nil:
		return unclear
	case source == nil:
		return gone
	}
	d, err := form.read(source.Text)
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

// LeaveOut accepts that the lost entries of a client are not wanted: they are forgotten, as if the client had
// been disconnected. Its files are not changed.
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

// mends reports whether an entry that disappears from a client's file is put back without asking. That is
// done only for a client that writes its file from memory and whose processes can be seen, since it has most
// likely dropped the entry by itself. In other clients, a person has probably removed it.
func (c Client) mends() bool { return c.Rewriting == client.FromMemory && len(c.Programs) > 0 }

// Mends reports whether the guard will put the lost entry back once the client is not running.
func (s Status) Mends() bool {
	return s.State == Lost && s.Client.mends() && (s.Loss == nil || !s.Loss.Asks)
}
