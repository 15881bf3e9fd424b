package file

import (
	"bytes"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

// draft is a text that is being typed, and what it was made of.
type draft struct {
	base *config.Document // what is in the file, as far as the text knows of it; nil before there is anything
	text string

	// theirs is what another program has put into the file and what does not go together with the text; nil when there is
	// nothing to decide.
	theirs *config.Document
}

// dirty reports whether something is typed that is not in the file.
func (d *draft) dirty() bool { return d.base != nil && d.text != string(d.base.Source) }

// follow takes up what is in the file now. What is typed stays; what others have changed besides comes into it.
func (d *draft) follow(now *config.Document) {
	switch {
	case !d.dirty() || string(now.Source) == d.text && now.Source != nil:
		d.base, d.text, d.theirs = now, string(now.Source), nil
	case sameSource(now, d.base):
		d.base, d.theirs = now, nil // also when the others have taken back what they did
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

// keepMine decides a conflict for what is typed.
func (d *draft) keepMine() { d.base, d.theirs = d.theirs, nil }

// takeTheirs decides a conflict for what is in the file.
func (d *draft) takeTheirs() { d.base, d.text, d.theirs = d.theirs, string(d.theirs.Source), nil }

// revert gives up what is typed.
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
