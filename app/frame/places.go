package frame

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// Place names a screen of the window.
type Place string

// Listed is a screen in the list of all screens.
type Listed struct {
	At   Place
	Bar  Entry        // not in the bar if it has no word
	Key  fyne.KeyName // the key that shows the screen together with Ctrl; empty for none
	Says string       // the name in the list of keys; empty for the word in the bar

	Within Place   // the screen to mark in the bar instead of this one; empty for this one
	Head   float32 // the height of the screen's own head in pixels, if the screen takes the whole window; otherwise 0
}

// Places knows which screen the window shows, and changes to another. Call its methods only on the goroutine of the
// window.
type Places struct {
	screens Screens
	model   *model.Model
	window  *Window // set by [New]

	at   Place
	made map[Place]Screen // the screens that have been shown
}

// Screens are all screens of the window.
type Screens interface {
	List() []Listed       // in the order of the bar, in the current language
	Make(at Place) Screen // called when a screen is first shown, and again after a change of the language
	Showing(at Place)     // called before a screen is shown
}

// NewPlaces returns Places that show no screen yet.
func NewPlaces(screens Screens, model *model.Model) *Places {
	return &Places{screens: screens, model: model, made: map[Place]Screen{}}
}

// At returns the place that is shown.
func (p *Places) At() Place { return p.at }

// Current returns the screen that is shown, or nil if there is none yet.
func (p *Places) Current() Screen { return p.made[p.at] }

// Choose shows a screen.
func (p *Places) Choose(at Place) {
	if before := p.Current(); before != nil && at != p.at {
		before.Leave()
	}
	var chosen Listed
	all := p.screens.List()
	if i := slices.IndexFunc(all, func(screen Listed) bool { return screen.At == at }); i >= 0 {
		chosen = all[i]
	}
	screen := p.made[at]
	fresh := screen == nil
	if fresh {
		screen = p.screens.Make(at)
		p.made[at] = screen
	}
	p.at = at
	screen.Apply(p.model)
	_, places := p.Bar()
	p.screens.Showing(at)
	p.window.show(slices.Index(places, cmp.Or(chosen.Within, at)), screen.Object(), chosen.Head)
	if y := p.model.Opened.Scrolled[string(at)]; fresh && y > 0 {
		screen.Scroll(y)
	}
	screen.Enter()
}

// Draw draws the model on the screens in hidden and then on the current screen. The screens in hidden must have been
// shown at least once.
func (p *Places) Draw(hidden ...Place) {
	for _, at := range hidden {
		if at != p.at {
			p.made[at].Apply(p.model)
		}
	}
	p.Current().Apply(p.model)
}

// Forget forgets a screen, so that it is made anew when it is shown again.
func (p *Places) Forget(at Place) { delete(p.made, at) }

// Clear forgets all screens, but not how far they are scrolled. After that, there is no current screen until Choose.
func (p *Places) Clear() {
	scrolled := map[string]float32{}
	for at, screen := range p.made {
		scrolled[string(at)] = screen.Scrolled()
	}
	p.model.Opened.Scrolled = scrolled
	clear(p.made)
	p.at = ""
}

// Bar returns the entries of the bar and their places.
func (p *Places) Bar() (entries []Entry, places []Place) {
	for _, screen := range p.screens.List() {
		if screen.Bar.Word != "" {
			entries, places = append(entries, screen.Bar), append(places, screen.At)
		}
	}
	return entries, places
}

// Keys returns the screens that have a key, sorted by key.
func (p *Places) Keys() []Listed {
	keys := slices.DeleteFunc(p.screens.List(), func(screen Listed) bool { return screen.Key == "" })
	slices.SortFunc(keys, func(a, b Listed) int { return cmp.Compare(a.Key, b.Key) })
	return keys
}
