package tryit

import (
	"context"
	"encoding/json"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// outcomeKind is how a call ended.
type outcomeKind int

const (
	outcomeDone      outcomeKind = iota
	outcomeToolError             // the tool has returned an error
	outcomeError                 // the tool could not be called
	outcomeCancelled
)

// run is one call of a tool.
type run struct {
	key       key
	arguments json.RawMessage
	began     time.Time
	took      time.Duration
	cancel    context.CancelFunc
	stopped   bool // by the user
	ended     bool

	outcome outcomeKind
	problem string          // if outcome is outcomeError
	result  json.RawMessage // nil if it was too big to keep
}

// Limits of what is kept of earlier runs. They are kept only in memory.
const (
	maxRuns  = 10      // of one tool
	maxKept  = 2 << 20 // bytes of one result
	maxTools = 50      // number of tools
)

// words returns the state and the words for an outcome.
func (o outcomeKind) words() (theme.State, string) {
	switch o {
	case outcomeToolError:
		return theme.StateWrong, lang.L("Tool failed")
	case outcomeError:
		return theme.StateWrong, lang.L("Failed")
	case outcomeCancelled:
		return theme.StateDisabled, lang.L("Cancelled")
	}
	return theme.StateConnected, lang.L("Done")
}

// remember adds a run to the runs of its tool. If there are too many tools, it forgets the runs of another one.
func (p *Page) remember(r *run) {
	if len(p.runs) >= maxTools && p.runs[r.key] == nil {
		for other := range p.runs {
			delete(p.runs, other)
			break
		}
	}
	runs := append([]*run{r}, p.runs[r.key]...)
	p.runs[r.key] = runs[:min(len(runs), maxRuns)]
}

// showPast shows a button for each run of the tool, if there are several. A button brings back the arguments and the
// result of its run.
func (p *Page) showPast() {
	p.past.Objects = nil
	runs := p.runs[p.view.key()]
	kit.SetVisible(p.past, len(runs) > 1)
	if len(runs) < 2 {
		return
	}
	flow := kit.NewFlow(kit.Gap)
	for _, r := range runs {
		state, word := r.outcome.words()
		button := kit.NewButton(kit.Facts(kit.Seconds(r.began), word), widget.LowImportance, func() { p.recall(r) })
		button.Icon = state.Icon()
		flow.Add(button)
	}
	p.past.Objects = []fyne.CanvasObject{
		kit.Column(kit.GapTight, kit.NewText(lang.L("Earlier runs"),
			kit.TextStyle{Size: theme.SizeSmall, Bold: true, Color: theme.ColorMuted}), flow)}
}

// recall shows a run again: its arguments, in the form or as JSON, and its result below.
func (p *Page) recall(r *run) {
	if p.asJSON {
		p.json.SetText(string(r.arguments))
	} else if filled, err := p.schema.Fill(r.arguments); err == nil {
		p.form.show(filled)
	}
	p.check()
	if r.result == nil && (r.outcome == outcomeDone || r.outcome == outcomeToolError) {
		p.outcome.gone(r)
		p.arrange()
		return
	}
	var read Result
	p.background(func() {
		if r.result != nil {
			read = Read(r.result)
		}
	}, func() {
		if p.view.key() == r.key {
			p.outcome.show(r, read)
			kit.Relayout(p.root)
			p.arrange()
		}
	})
}
