package tray

import (
	"testing"
	"testing/synctest"
)

// TestWhatIsDrawnBeforeTheAppRuns checks that the tray gets only the newest menu when the app starts to run, and every
// later one at once.
func TestWhatIsDrawnBeforeTheAppRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &page{t: t, paper: &paper{}}
		runs := make(chan struct{})
		started := make(chan struct{})
		bar := newLater(p.paper, func(f func()) {
			<-runs
			f()
			close(started)
		})
		items := func(label string) []Item { return []Item{{}, {}, {}, {Label: label}} }
		bar.Icon(IconWell)
		bar.Menu(items("a"))
		bar.Change(items("b"))
		p.expect("icon 1")
		close(runs)
		<-started
		p.expect("menu b")
		bar.Change(items("c"))
		bar.Menu(items("d"))
		bar.Close()
		p.expect("change c", "menu d", "gone")
	})
}
