package tray

import "github.com/workbench-mcp/workbench-desktop/engine/background"

// later is a [Bar] that can be used before the app runs, when there is no tray yet. It keeps the menu until the app
// runs. Fyne itself keeps the icon.
type later struct {
	Bar
	items []Item // of the newest menu; nil if there is none yet
	runs  bool   // the app runs
}

// newLater returns a bar that draws no menu before the app runs. do runs functions on the goroutine of the window, and
// begins with that when the app runs.
func newLater(bar Bar, do func(func())) *later {
	l := &later{Bar: bar}
	// on another goroutine: before the app runs, do on the main goroutine would run the function at once
	background.Go(func() { do(l.start) })
	return l
}

func (l *later) start() {
	l.runs = true
	if l.items != nil {
		l.Bar.Menu(l.items)
	}
}

// Menu replaces the menu.
func (l *later) Menu(items []Item) {
	l.items = items
	if l.runs {
		l.Bar.Menu(items)
	}
}

// Change implements [Bar].
func (l *later) Change(items []Item) {
	l.items = items
	if l.runs {
		l.Bar.Change(items)
	}
}
