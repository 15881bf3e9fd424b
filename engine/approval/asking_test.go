package approval_test

import "testing"

const (
	asks      = `"mail":{"command":"mail","askFirst":true}`
	asksNot   = `"mail":{"command":"mail"}`
	twin      = `,"twin":{"command":"mail"}`
	twinAsks  = `,"twin":{"command":"mail","askFirst":true}`
	unrelated = `,"b":{"command":"b"}`
)

// TestTwinSwitchesNothingOff: an entry whose tools ask first waits if another program takes that away, even if the
// same program without asking was approved elsewhere.
func TestTwinSwitchesNothingOff(t *testing.T) {
	p := newPerson(t, asks+twin)
	p.waits()
	p.elsewhere(asksNot + twin)
	p.waits("mail")
	p.saves(asksNot + twin + unrelated) // the person saves something else
	p.waits("mail")
	p.elsewhere(`"other":{"command":"mail"}` + twin) // under another name
	p.waits("other")
	p.elsewhere(asks + twin + unrelated)
	p.waits()

	// The person can switch it off, and on again.
	p.saves(asksNot + twin + unrelated)
	p.waits()
	p.saves(asks + twinAsks + unrelated)
	p.waits()
	p.elsewhere(asks + twin + unrelated)
	p.waits("twin")
}
