package detail

import (
	"net/url"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/tryit"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// Asking shows the questions that servers ask while the user tries a tool, one after the other.
type Asking struct {
	options AskingOptions
	asked   int                       // the number of the latest question
	waits   map[int]*engines.Question // the open questions by number
	shown   *tryit.Sheet              // the sheet of the first question, or nil
}

// AskingOptions configure an [Asking].
type AskingOptions struct {
	Tasks   *task.Tasks
	Window  *frame.Window
	Model   *model.Model
	Program Program
}

// answerer passes an answer on to the server, and opens its page.
type answerer struct {
	*engines.Question
	window *frame.Window
}

func (a answerer) Open(page *url.URL, done func(error)) { a.window.Visit(page, done) }

// NewAsking returns an Asking without questions.
func NewAsking(options AskingOptions) *Asking {
	return &Asking{options: options, waits: map[int]*engines.Question{}}
}

// Ask adds a question to the queue. It can be called on any goroutine.
func (a *Asking) Ask(q *engines.Question) {
	a.options.Tasks.Do(func() {
		a.asked++
		a.waits[a.asked] = q
		id, now := q.Tool(), a.options.Model
		now.Questions = append(now.Questions, model.Question{
			Number: a.asked, At: model.Choice{Toolbox: id.Toolbox, Server: id.Server}, Tool: id.Tool,
		})
		a.next()
	})
	background.AfterEnd(q.Context(), func() { a.options.Tasks.Do(a.next) })
}

// next removes the questions at the front that are answered or withdrawn, and shows the first one that is open.
func (a *Asking) next() {
	now := a.options.Model
	for len(now.Questions) > 0 {
		first := now.Questions[0]
		if q := a.waits[first.Number]; q.Context().Err() == nil {
			if a.shown == nil {
				a.show(first, q)
			}
			return
		}
		if a.shown != nil {
			a.shown.Withdraw()
		}
		delete(a.waits, first.Number)
		now.Questions, a.shown = slices.Delete(now.Questions, 0, 1), nil
	}
}

func (a *Asking) show(asked model.Question, q *engines.Question) {
	shown := tryit.NewSheet(tryit.Asker{Toolbox: asked.At.Toolbox, Server: asked.At.Server, Tool: asked.Tool}, q.Request,
		a.options.Window.Window, answerer{q, a.options.Window})
	a.shown = shown
	a.open(shown)
}

// open shows a sheet over the window, and once more in each other language.
func (a *Asking) open(sheet *tryit.Sheet) {
	sheet.SetAgain(func() {
		sheet.Build()
		a.open(sheet)
	})
	a.options.Window.ShowDialog(sheet)
	sheet.Focus(!a.options.Program.Trying())
}
