package tryit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Page draws a View. Its methods belong to the goroutine of the window.
type Page struct {
	actions Actions
	view    View
	root    *fyne.Container
}

// New makes the page. It shows nothing until Apply.
func New(actions Actions) *Page {
	if actions.Do == nil {
		actions.Do = fyne.Do
	}
	if actions.Now == nil {
		actions.Now = time.Now
	}
	if actions.Copy == nil {
		actions.Copy = func(text string) { fyne.CurrentApp().Clipboard().SetContent(text) }
	}
	return &Page{actions: actions, root: container.NewStack()}
}

// Object is what the window shows.
func (p *Page) Object() fyne.CanvasObject { return p.root }

// Apply shows another View. What was typed stays while the tool is the same.
func (p *Page) Apply(view View) { p.view = view }

// Close ends a call that is under way and waits for the goroutines of the page.
func (p *Page) Close() {}
