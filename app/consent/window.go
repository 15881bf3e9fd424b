// Package consent is the small window that asks the user before something happens, such as the call of a tool that may
// change something.
package consent

import (
	"context"
	"slices"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// The initial size of the window, in pixels.
const (
	width  = 640
	height = 460
)

// Settling is how long a new question ignores keys and clicks, because they were probably meant for something else.
const Settling = 700 * time.Millisecond

// Question is a question to the user.
type Question struct {
	// Context is cancelled when the answer is no longer needed.
	Context context.Context
	// Refuse answers no. The Esc key calls it too. Closing the window refuses all waiting questions.
	Refuse func()
	// Make returns the content of the question in the current language. Make and all answers are called on the goroutine
	// of the window.
	Make func() Content
}

// Content is what a question shows.
type Content struct {
	Title  string // who wants to do what
	Where  string
	Why    string // a sentence that says why the user is asked
	Label  string // the title of the body
	Body   string // can have any length; it scrolls
	Note   string // explains the buttons where their labels are not enough
	Refuse string // the label of the button that refuses
	// Choices are the other buttons. The last one is at the right.
	Choices []Choice
}

// Choice is a button.
type Choice struct {
	Text string
	Do   func()
}

// Options configure a [Window].
type Options struct {
	App   fyne.App
	Tasks *task.Tasks
	Icon  fyne.Resource
	Seen  func(bool) // called when the window appears and disappears
	// Raise brings the window to the front of everything after it has appeared, until calm is called. title says what is
	// asked.
	Raise  func(window fyne.Window, title string) (calm func())
	Settle time.Duration // see [Settling]
}

// Window is the small window that shows the waiting questions one after the other. It is visible only while questions
// wait.
type Window struct {
	options Options
	window  fyne.Window // nil until the first question
	waiting []*Question
	shown   *Question     // the first of waiting, or nil
	title   string        // what the shown question asks
	count   *kit.Text     // says how many questions wait after the shown one
	all     *kit.Button   // refuses all questions
	allow   []*kit.Button // the buttons of the choices
	settled bool          // the shown question takes keys and clicks
	stop    func()        // stops the timer that sets settled
	calm    func()        // ends what Raise has begun
}

// NewWindow returns a window without questions.
func NewWindow(options Options) *Window {
	if options.Raise == nil {
		options.Raise = func(fyne.Window, string) func() { return func() {} }
	}
	return &Window{options: options, stop: func() {}}
}

// Ask adds a question to the queue. It can be called on any goroutine.
func (w *Window) Ask(q *Question) {
	w.options.Tasks.Do(func() {
		w.waiting = append(w.waiting, q)
		w.next()
	})
	background.AfterEnd(q.Context, func() { w.options.Tasks.Do(w.next) })
}

// Open reports whether a question is shown.
func (w *Window) Open() bool { return w.shown != nil }

// next drops the answered questions and shows the first open one.
func (w *Window) next() {
	w.waiting = slices.DeleteFunc(w.waiting, func(q *Question) bool { return q.Context.Err() != nil })
	switch open := w.waiting; {
	case len(open) == 0 && w.shown != nil:
		w.shown = nil
		w.stop()
		w.calm()
		w.window.Hide()
		w.options.Seen(false)
	case len(open) > 0 && w.shown != open[0]:
		w.show(open[0])
	case len(open) > 0:
		w.tellCount()
	}
}

// show shows a question and brings the window to the front.
func (w *Window) show(q *Question) {
	first := w.shown == nil
	w.shown = q
	if w.window == nil {
		w.window = w.options.App.NewWindow("")
		w.window.SetIcon(w.options.Icon)
		w.window.SetPadded(false)
		w.window.SetCloseIntercept(w.refuseAll)
		w.window.Canvas().SetOnTypedKey(func(event *fyne.KeyEvent) {
			if event.Name == fyne.KeyEscape && w.shown != nil {
				w.answer(w.shown.Refuse)
			} else {
				kit.ScrollByKey(w.window.Canvas(), event)
			}
		})
		w.window.Resize(fyne.NewSize(width, height))
		w.window.CenterOnScreen()
	}
	w.window.SetTitle(lang.L("Workbench asks you"))
	w.window.Canvas().Unfocus() // so that no key presses a button of the new question
	w.window.SetContent(w.build(q))
	w.tellCount()
	w.settled = false
	w.stop()
	w.stop = w.options.Tasks.Later(w.options.Settle, func() {
		w.settled = true
		for _, button := range w.allow {
			button.Enable()
		}
	})
	if first {
		w.options.Seen(true)
		w.window.Show()
		w.calm = w.options.Raise(w.window, w.title)
	}
	w.window.RequestFocus()
}

// build creates the content of a question.
func (w *Window) build(q *Question) fyne.CanvasObject {
	content := q.Make()
	w.title = content.Title
	muted := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}
	head := kit.Column(kit.GapTight,
		kit.NewParagraph(content.Title, kit.TextStyle{Size: theme.SizeHeading, Bold: true}),
		kit.NewParagraph(content.Where, kit.TextStyle{}),
		kit.NewParagraph(content.Why, kit.TextStyle{}))
	body := kit.Column(kit.GapTight, kit.NewText(content.Label, muted), kit.Rest(kit.NewWrapped(content.Body)))
	w.count = kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})
	w.all = kit.NewButton("", widget.LowImportance, w.refuseAll)
	buttons := []fyne.CanvasObject{w.all, kit.Rest(w.count),
		kit.NewButton(content.Refuse, widget.MediumImportance, func() { w.answer(q.Refuse) })}
	w.allow = nil
	for _, choice := range content.Choices {
		button := kit.NewButton(choice.Text, widget.MediumImportance, func() { w.answer(choice.Do) })
		button.Disable()
		w.allow = append(w.allow, button)
		buttons = append(buttons, button)
	}
	foot := kit.Row(kit.Gap, buttons...)
	return kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground}, kit.Column(0,
		kit.Rest(kit.Inset(kit.Column(kit.GapWide, head, kit.Rest(body), kit.NewParagraph(content.Note, muted)),
			kit.GapBlock, kit.GapBlock)),
		kit.NewLine(), kit.Inset(foot, kit.GapWide, kit.GapBlock)))
}

// tellCount shows how many questions wait.
func (w *Window) tellCount() {
	n := len(w.waiting)
	kit.SetVisible(w.all, n > 1)
	if n > 1 {
		w.all.SetText(lang.N("Refuse all {{.Count}}", n, map[string]any{"Count": n}))
		w.count.Set(lang.N("{{.Count}} more waits", n-1, map[string]any{"Count": n - 1}))
	} else {
		w.count.Set("")
	}
	w.window.Content().Refresh()
}

// answer answers the shown question by calling give, unless the question has only just appeared.
func (w *Window) answer(give func()) {
	if !w.settled {
		return
	}
	give()
	w.waiting = w.waiting[1:]
	w.next()
}

// refuseAll refuses all waiting questions, unless the shown one has only just appeared.
func (w *Window) refuseAll() {
	if !w.settled {
		return
	}
	for _, q := range w.waiting {
		q.Refuse()
	}
	w.waiting = nil
	w.next()
}

// Inbox keeps questions that arrive before there is a window. Its methods can be called on any goroutine.
type Inbox[T any] struct {
	mu    sync.Mutex
	early []T
	take  func(T)
}

// Put passes a question to the window, or keeps it until there is one.
func (i *Inbox[T]) Put(q T) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.take == nil {
		i.early = append(i.early, q)
		return
	}
	i.take(q)
}

// Open passes the kept questions and all later ones to take.
func (i *Inbox[T]) Open(take func(T)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, q := range i.early {
		take(q)
	}
	i.early, i.take = nil, take
}
