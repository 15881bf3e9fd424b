package app

import (
	"context"
	"net/url"

	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/tryit"
)

// asking is what servers ask the person, one after the other.
type asking struct {
	waiting []*engines.Question
	shown   *tryit.Sheet // for the first of them, or nil
}

// ask shows a question, after those that were asked before. It can be called on any goroutine.
func (d *controller) ask(q *engines.Question) {
	d.tasks.Do(func() {
		d.asking.waiting = append(d.asking.waiting, q)
		d.askNext()
	})
	context.AfterFunc(q.Context(), func() { d.tasks.Do(d.askNext) })
}

// askNext shows the first question that is still open, and takes away one that is not.
func (d *controller) askNext() {
	a := &d.asking
	for len(a.waiting) > 0 {
		q := a.waiting[0]
		if q.Context().Err() == nil {
			if a.shown == nil {
				d.showQuestion(q)
			}
			return
		}
		if a.shown != nil {
			a.shown.Withdraw()
		}
		a.waiting, a.shown = a.waiting[1:], nil
	}
}

func (d *controller) showQuestion(q *engines.Question) {
	id := q.Tool()
	shown := tryit.NewSheet(tryit.Asker{Toolbox: id.Toolbox, Server: id.Server, Tool: id.Tool}, q.Request, d.window.window, tryit.AskActions{
		Answer: q.Answer,
		Open:   func(page *url.URL) error { return d.options.App.OpenURL(page) },
		Finish: q.Finish,
	})
	d.asking.shown = shown
	d.showDialog(shown)
	shown.Focus(d.at != placeToolboxes || !d.detail.shown() || d.detail.tab != editor.TabTools)
}
