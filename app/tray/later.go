package tray

// later is a place in a tray that is not there before the app runs: the menu it is given until then is drawn when it does. The
// picture is not its concern, Fyne keeps that.
type later struct {
	Bar
	items []Item
	runs  bool
}

// newLater returns a bar that draws nothing until do runs its first function, which happens when the app runs.
func newLater(bar Bar, do func(func())) *later {
	l := &later{Bar: bar}
	go do(l.start) // not from here: what the goroutine of main is asked to do before the app runs, it does at once
	return l
}

func (l *later) start() {
	l.runs = true
	if l.items != nil {
		l.Bar.Menu(l.items)
	}
}

// Menu shows a menu instead of the one before.
func (l *later) Menu(items []Item) {
	l.items = items
	if l.runs {
		l.Bar.Menu(items)
	}
}

// Change makes the entries of the menu say what these items do.
func (l *later) Change(items []Item) {
	l.items = items
	if l.runs {
		l.Bar.Change(items)
	}
}
