package activity

import (
	"testing"

	"fyne.io/fyne/v2"
)

// TestMissedCallsAreSaid checks that the table shows where calls were missed because they came too fast. Such a row is
// not a call: neither the keyboard nor the mouse can select it.
func TestMissedCallsAreSaid(t *testing.T) {
	newApp(t)
	view := sample()
	o := open(t, view, normal)
	o.lacks(t, "too fast")
	view = sample()
	oldest, newest := &view.Calls[0], &view.Calls[0]
	for i := range view.Calls {
		if call := &view.Calls[i]; call.Started.Before(oldest.Started) {
			oldest = call
		} else if call.Started.After(newest.Started) {
			newest = call
		}
	}
	oldest.Missed, newest.MissedAfter, newest.Missed = 1169, 7, 1
	o.Apply(view)
	o.reads(t, "7 calls were too fast to be shown", "1 call was too fast to be shown", "12 calls")
	body := o.table.body
	body.scrollTo(1000)
	o.reads(t, "1,169 calls were too fast to be shown")
	if len(body.entries) != 15 || body.entries[0].missed != 7 || body.entries[2].missed != 1 ||
		body.entries[14].missed != 1169 {
		t.Errorf("the rows are %+v", body.entries)
	}
	at := func() int { return body.rowOf(*body.kept.Call) }
	for _, step := range []struct {
		key  fyne.KeyName
		want int
	}{{fyne.KeyHome, 1}, {fyne.KeyUp, 1}, {fyne.KeyDown, 3}, {fyne.KeyUp, 1}, {fyne.KeyEnd, 13}, {fyne.KeyDown, 13},
		{fyne.KeyUp, 12}, {fyne.KeyHome, 1}} {
		if body.TypedKey(&fyne.KeyEvent{Name: step.key}); body.kept.Call == nil || at() != step.want {
			t.Fatalf("after %s, row %v is selected, want %d", step.key, body.kept.Call, step.want)
		}
	}
	body.choose(noRow)
	body.Tapped(&fyne.PointEvent{Position: fyne.NewPos(100, rowHeight/2)})
	if body.kept.Call != nil {
		t.Error("a row that is not a call was selected")
	}
	// A filtered list lacks calls anyway, so it does not say that calls were missed.
	o.bar.search.SetText("dev")
	o.lacks(t, "too fast")
}
