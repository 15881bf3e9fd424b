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
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// The initial size of the window, in pixels.
const (
	width  = 640
	height = 460
)

// Settling is how long a new question ignores keys and clicks, because they were probably meant for something else.
const Settling = 700 * time.Millisecond

// Question is a question to the user. Content and Answer are called on the goroutine of the window.
type Question interface {
	// Context is cancelled when the answer is no longer needed.
	Context() context.Context
	// Content returns the content of the question in the current language.
	Content() Content
	// Answer answers the question. The Esc key refuses. Closing the window refuses all waiting questions.
	Answer(answer status.Answer)
}

// Content is what a question shows.
type Content struct {
	Title  string // who wants to do what
	Where  string
	Says   string    // what the server says about it; may be empty
	Why    string    // a sentence that says why the user is asked
	Form   []Field   // can have any length; it scrolls
	Note   string    // explains the buttons where their labels are not enough
	Until  time.Time // when the wait for the answer ends; zero if that is unknown
	Missed string    // what is said later if the user does not answer in time
	Refuse string    // the label of the button that refuses
	// Choices are the other buttons. The last one is at the right.
	Choices []Choice
}

// isOver reports whether the time for the answer is over. The clocks of two programs may differ a little.
func (c Content) isOver(now time.Time) bool {
	return !c.Until.IsZero() && !now.Add(2*time.Second).Before(c.Until)
}

// Choice is a button.
type Choice struct {
	Text   string
	Answer status.Answer
}

// Program is what a [Window] needs of the rest of the app.
type Program interface {
	// Seen is called when the window appears and disappears.
	Seen(seen bool)
	// Raise brings the window to the front of everything after it has appeared, until calm is called. title says what is
	// asked.
	Raise(window fyne.Window, title string) (calm func())
}

// Options configure a [Window].
type Options struct {
	App     fyne.App
	Tasks   *task.Tasks
	Icon    fyne.Resource
	Program Program
	Settle  time.Duration // see [Settling]
	Now     func() time.Time
}

// Window is the small window that shows the waiting questions one after the other. It is visible only while questions
// wait.
type Window struct {
	options Options
	window  fyne.Window // nil until the first question
	waiting []Question
	seen    bool          // the window is shown
	shown   Question      // the first of waiting, or nil
	title   string        // what the shown question asks
	count   *kit.Text     // says how many questions wait after the shown one
	all     *kit.Button   // refuses all questions
	allow   []*kit.Button // the buttons of the choices
	settled bool          // the shown question takes keys and clicks
	stop    func()        // stops the timer that sets settled
	calm    func()        // ends what Raise has begun

	clock  *clock // of the shown question
	missed []string
}

// NewWindow returns a window without questions.
func NewWindow(options Options) *Window {
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Window{options: options, stop: func() {}}
}

// Ask adds a question to the queue. It can be called on any goroutine.
func (w *Window) Ask(q Question) {
	w.options.Tasks.Do(func() {
		w.waiting = append(w.waiting, q)
		w.next()
	})
	background.AfterEnd(q.Context(), func() { w.options.Tasks.Do(w.next) })
}

// Open reports whether the window is shown.
func (w *Window) Open() bool { return w.seen }

// next drops the questions that nobody waits for any more, and shows the first of the others, or what was missed.
func (w *Window) next() {
	more := false
	w.waiting = slices.DeleteFunc(w.waiting, func(q Question) bool {
		if q.Context().Err() == nil {
			return false
		}
		if content := q.Content(); content.isOver(w.options.Now()) {
			w.missed, more = append(w.missed, content.Missed), true
		}
		return true
	})
	switch open := w.waiting; {
	case len(open) == 0 && len(w.missed) > 0:
		if more || w.shown != nil {
			w.showMissed()
		}
	case len(open) == 0 && w.seen:
		w.hide()
	case len(open) > 0 && w.shown != open[0]:
		w.show(open[0])
	case len(open) > 0:
		w.tellCount()
	}
}

// hide hides the window until the next question.
func (w *Window) hide() {
	w.shown, w.seen = nil, false
	w.stop()
	w.calm()
	w.window.Hide()
	w.options.Program.Seen(false)
}

// show shows a question and brings the window to the front.
func (w *Window) show(q Question) {
	w.shown = q
	w.prepare()
	w.window.Canvas().Unfocus() // so that no key presses a button of the new question
	w.window.SetContent(w.build(q))
	w.tellCount()
	w.settle()
	w.appear()
}

// appear shows the window, in front of everything.
func (w *Window) appear() {
	if !w.seen {
		w.seen = true
		w.options.Program.Seen(true)
		w.window.Show()
		w.calm = w.options.Program.Raise(w.window, w.title)
	}
	w.window.RequestFocus()
}

// settle makes the shown question take keys and clicks after a while, and its clock run.
func (w *Window) settle() {
	w.settled = false
	w.stop()
	settle := w.options.Tasks.Later(w.options.Settle, func() {
		w.settled = true
		for _, button := range w.allow {
			button.Enable()
		}
	})
	clock := w.clock.run(w.options.Tasks)
	w.stop = func() {
		settle()
		clock()
	}
}

// prepare makes the window, once.
func (w *Window) prepare() {
	if w.window == nil {
		w.window = w.options.App.NewWindow("")
		w.window.SetIcon(w.options.Icon)
		w.window.SetPadded(false)
		w.window.SetCloseIntercept(w.refuseAll)
		w.window.Canvas().SetOnTypedKey(func(event *fyne.KeyEvent) {
			switch {
			case event.Name == fyne.KeyEscape && w.shown != nil:
				w.answer(status.Refuse)
			case event.Name == fyne.KeyEscape:
				w.refuseAll()
			default:
				kit.ScrollByKey(w.window.Canvas(), event)
			}
		})
		w.window.Resize(fyne.NewSize(width, height))
		w.window.CenterOnScreen()
	}
	w.window.SetTitle(lang.L("Workbench asks you"))
}

// build creates the content of a question.
func (w *Window) build(q Question) fyne.CanvasObject {
	content := q.Content()
	w.title = content.Title
	head := kit.Column(kit.GapTight,
		kit.NewParagraph(content.Title, kit.TextStyle{Size: theme.SizeHeading, Bold: true}),
		kit.NewParagraph(content.Where, kit.Small()))
	if content.Says != "" {
		head.Add(kit.NewParagraph(content.Says, kit.TextStyle{}))
	}
	head.Add(kit.Marked(theme.StateNotice, kit.NewParagraph(content.Why, kit.TextStyle{})))
	w.clock = newClock(content.Until, w.options.Now)
	w.count = kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})
	w.all = kit.NewButton("", widget.LowImportance, w.refuseAll)
	buttons := []fyne.CanvasObject{w.all, kit.Rest(w.count),
		kit.NewButton(content.Refuse, widget.MediumImportance, func() { w.answer(status.Refuse) })}
	w.allow = nil
	for _, choice := range content.Choices {
		button := kit.NewButton(choice.Text, widget.MediumImportance, func() { w.answer(choice.Answer) })
		button.Disable()
		w.allow = append(w.allow, button)
		buttons = append(buttons, button)
	}
	return framed(kit.Column(kit.GapWide, head, kit.Rest(formOf(content.Form)),
		kit.Column(kit.Gap, w.clock.object, kit.NewParagraph(content.Note, kit.Small()))), buttons...)
}

// framed returns the content of the window: what it says, and its buttons.
func framed(content fyne.CanvasObject, buttons ...fyne.CanvasObject) fyne.CanvasObject {
	return kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground}, kit.Column(0,
		kit.Rest(kit.Inset(content, kit.GapBlock, kit.GapBlock)),
		widget.NewSeparator(), kit.Inset(kit.Row(kit.Gap, buttons...), kit.GapWide, kit.GapBlock)))
}

// tellCount shows how many questions wait.
func (w *Window) tellCount() {
	n := len(w.waiting)
	kit.SetVisible(w.all, n > 1)
	if n > 1 {
		w.all.SetText(lang.N("Refuse all {{.Count}}", n, map[string]any{"Count": n}))
		w.count.Set(lang.L("and {{.Count}} more", map[string]any{"Count": n - 1}))
	} else {
		w.count.Set("")
	}
	w.window.Content().Refresh()
}

// answer answers the shown question, unless it has only just appeared.
func (w *Window) answer(answer status.Answer) {
	if !w.settled {
		return
	}
	w.shown.Answer(answer)
	w.waiting = w.waiting[1:]
	w.next()
}

// refuseAll refuses all waiting questions and closes the window, unless the shown one has only just appeared.
func (w *Window) refuseAll() {
	if !w.settled {
		return
	}
	for _, q := range w.waiting {
		q.Answer(status.Refuse)
	}
	w.waiting, w.missed = nil, nil
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
