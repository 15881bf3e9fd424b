package detail

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/tryit"
)

// Asking is what servers ask the person, one after the other.
type Asking struct {
	options AskingOptions
	waiting []*engines.Question
	shown   *tryit.Sheet // for the first of them, or nil
}

// AskingOptions say where questions are shown.
type AskingOptions struct {
	Tasks  *task.Tasks
	Window *frame.Window
	Trying func() bool // reports whether the tools of a server can be seen, from where they are tried
}

// NewAsking gives one that asks nothing yet.
func NewAsking(options AskingOptions) *Asking { return &Asking{options: options} }

// Waiting returns how many questions are open.
func (a *Asking) Waiting() int { return len(a.waiting) }

// Ask shows a question, after those that were asked before. It can be called on any goroutine.
func (a *Asking) Ask(q *engines.Question) {
	a.options.Tasks.Do(func() {
		a.waiting = append(a.waiting, q)
		a.next()
	})
	context.AfterFunc(q.Context(), func() { a.options.Tasks.Do(a.next) })
}

// next shows the first question that is still open, and takes away one that is not.
func (a *Asking) next() {
	for len(a.waiting) > 0 {
		q := a.waiting[0]
		if q.Context().Err() == nil {
			if a.shown == nil {
				a.show(q)
			}
			return
		}
		if a.shown != nil {
			a.shown.Withdraw()
		}
		a.waiting, a.shown = a.waiting[1:], nil
	}
}

func (a *Asking) show(q *engines.Question) {
	id := q.Tool()
	shown := tryit.NewSheet(tryit.Asker{Toolbox: id.Toolbox, Server: id.Server, Tool: id.Tool}, q.Request, a.options.Window.Window, tryit.AskActions{
		Answer: q.Answer,
		Open:   a.options.Window.Visit,
		Finish: q.Finish,
	})
	a.shown = shown
	a.options.Window.ShowDialog(shown)
	shown.Focus(!a.options.Trying())
}
