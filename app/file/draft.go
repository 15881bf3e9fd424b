package file

import (
	"bytes"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// draft is a text that is being typed, and the version of the file that it started from.
type draft struct {
	base *config.Document // the version of the file that the text is based on; nil at first
	text string

	// theirs is a version of the file by another program that conflicts with the text; nil when there is no conflict.
	theirs *config.Document
}

// dirty reports whether something is typed that is not in the file.
func (d *draft) dirty() bool { return d.base != nil && d.text != string(d.base.Source) }

// follow updates the draft for a new version of the file. It keeps the typed text and merges changes by other programs
// into it.
func (d *draft) follow(now *config.Document) {
	switch {
	case !d.dirty() || string(now.Source) == d.text && now.Source != nil:
		d.base, d.text, d.theirs = now, string(now.Source), nil
	case sameSource(now, d.base):
		d.base, d.theirs = now, nil // a conflict also ends if the other program has undone its change
	case d.theirs != nil && sameSource(now, d.theirs):
		d.theirs = now
	case now.Source == nil || d.base.Source == nil:
		d.theirs = now
	default:
		merged, err := store.Text{From: d.base.Source, To: []byte(d.text)}.Apply(now.Source)
		if err != nil {
			d.theirs = now
			return
		}
		d.base, d.text, d.theirs = now, string(merged), nil
	}
}

// keepMine resolves a conflict in favour of the typed text.
func (d *draft) keepMine() { d.base, d.theirs = d.theirs, nil }

// takeTheirs resolves a conflict in favour of the file.
func (d *draft) takeTheirs() { d.base, d.text, d.theirs = d.theirs, string(d.theirs.Source), nil }

// revert discards what is typed.
func (d *draft) revert() {
	if d.theirs != nil {
		d.takeTheirs()
		return
	}
	d.text = string(d.base.Source)
}

// sameSource reports whether two documents are the same file.
func sameSource(a, b *config.Document) bool {
	return (a.Source == nil) == (b.Source == nil) && bytes.Equal(a.Source, b.Source)
}
