package editor

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// draft is a text while it is edited: what the file says, what the user has made of it, and what somebody else has made of
// it meanwhile.
type draft struct {
	base string // what the file said when it last agreed with the text
	text string // what stands in the field

	sent   *string  // the text that is being saved
	before []string // those that were sent before it, which the file may still come to say
	theirs *string  // what the file says now, when both have changed it
	gone   bool     // the file has it no more, though the user has changed it
	yield  bool     // something is being saved that changes the text: what comes back is to be taken
	reason string   // why the text could not be saved
}

// dirty tells whether the text is not what the file says.
func (d *draft) dirty() bool { return d.text != d.base }

// left tells whether there is something typed that is not on its way to the file either.
func (d *draft) left() bool { return d.dirty() && (d.sent == nil || *d.sent != d.text) }

// disputed tells whether the user has to say which of two texts is to be kept.
func (d *draft) disputed() bool { return d.theirs != nil || d.gone }

// typed takes up what the user has typed.
func (d *draft) typed(text string) {
	d.text, d.reason, d.yield = text, "", false
}

// follow takes up what the file says now.
func (d *draft) follow(file string) {
	d.gone = false
	switch {
	case d.yield || d.text == d.base || file == d.text:
		d.base, d.text, d.theirs, d.reason = file, file, nil, ""
	case slices.Contains(d.underWay(), file):
		d.base, d.theirs = file, nil // typed on since
	case file == d.base:
		d.theirs = nil
	default:
		d.theirs = &file
	}
}

// lost takes up that the file has the text no more. It tells whether that has to be settled.
func (d *draft) lost() bool {
	d.gone = d.dirty() && !d.yield
	return d.gone
}

// keep settles a dispute for the user's text, take for the file's.
func (d *draft) keep() {
	if d.theirs != nil {
		d.base = *d.theirs
	}
	d.theirs, d.gone = nil, false
}

func (d *draft) take() {
	if d.theirs != nil {
		d.base, d.text = *d.theirs, *d.theirs
	}
	d.theirs, d.gone, d.reason = nil, false, ""
}

// revert puts back what the file says.
func (d *draft) revert() {
	d.take()
	d.text, d.reason = d.base, ""
}

// again is the draft after other entries were shown: how what was under way ended is not known any more, only what the file says.
func (d draft) again() draft {
	d.before, d.sent, d.yield = d.underWay(), nil, false
	return d
}

// underWay are the texts that the file may come to say though nobody else has changed it.
func (d *draft) underWay() []string {
	if d.sent == nil {
		return d.before
	}
	return append(slices.Clip(d.before), *d.sent)
}

// send tells that the text is being saved, and saved how that ended.
func (d *draft) send() {
	text := d.text
	d.before, d.sent, d.reason = d.underWay(), &text, ""
}

func (d *draft) saved(err error) {
	if err == nil && d.sent != nil && d.theirs == nil {
		d.base = *d.sent
	}
	if err != nil {
		d.reason = kit.Sentence(kit.SayError(err))
	}
	d.settled()
}

// settled tells that nothing is being saved any more.
func (d *draft) settled() { d.before, d.sent = nil, nil }
