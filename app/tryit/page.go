package tryit

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/toolform"
)

// Page draws a [View]. Call its methods only on the goroutine of the window.
type Page struct {
	program Program
	view    View

	schema    *toolform.Form // nil before Apply
	form      *form
	json      *code.Entry // the arguments as JSON, if asJSON is set
	asJSON    bool
	jsonWords *fyne.Container // what is wrong with the JSON

	run     *run           // the call in progress, or nil
	runs    map[key][]*run // the ended runs of each tool, newest first
	bar     *bar
	root    *fyne.Container
	scroll  *kit.Page
	back    *kit.Button
	title   *kit.Lines
	what    *kit.Lines // the description of the tool
	mode    *kit.Choice
	inputs  *fyne.Container // the form or the JSON
	past    *fyne.Container // the earlier runs
	outcome *outcome

	wg background.Group
}

// key is the tool that a run has called.
type key struct{ toolbox, server, tool string }

func (v View) key() key { return key{v.Toolbox, v.Server, v.Tool.Name} }

// New returns an empty page. Apply fills it.
func New(program Program) *Page {
	p := &Page{program: program, runs: map[key][]*run{}}
	p.build()
	return p
}

func (p *Page) build() {
	// it wraps, because long names often differ only at the end
	p.title = kit.NewParagraph("", kit.TextStyle{Size: theme.SizeTitle, Bold: true})
	p.what = kit.NewParagraph("", kit.TextStyle{Color: theme.ColorMuted})
	p.mode = kit.NewChoice(lang.L("Form"), lang.L("JSON"))
	p.mode.OnChosen = p.changeMode
	p.inputs, p.past, p.jsonWords = container.NewStack(), container.NewStack(), kit.Column(kit.GapHair)
	p.json = code.NewEntry()
	p.json.OnChanged = func(string) { p.check() }
	p.json.OnShortcut = onRunKeys(p.Run)
	p.outcome = newOutcome(p)
	p.bar = newBar(p.Run, p.runAnyway, p.Cancel)

	p.back = kit.NewButtonWithIcon(lang.L("Back"), base.NavigateBackIcon(), widget.LowImportance, p.program.Back)
	title := kit.NewText(lang.L("Inputs"), kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true})
	card := kit.NewCard(kit.Column(kit.GapWide, kit.Row(kit.Gap, kit.Rest(title), kit.NewFullChoice(p.mode)),
		p.inputs))
	head := kit.Column(kit.GapTight, p.title, p.what)
	p.scroll = kit.NewPage(kit.NewNarrow(kit.WidthPage,
		kit.Inset(kit.Column(kit.GapBlock, head, card, p.past, p.outcome.root), kit.GapWide, kit.GapEdge)))
	// it stays visible when the page is scrolled
	top := kit.Inset(kit.Row(0, kit.Flush(p.back, true, false)), kit.GapTight, kit.GapEdge)
	p.root = kit.Column(0, top, kit.Rest(p.scroll), p.bar.root)
}

// Object returns what the window shows.
func (p *Page) Object() fyne.CanvasObject { return p.root }

// Apply shows view. If the tool and its definition are the same as before, what was typed is kept.
func (p *Page) Apply(view View) {
	same := p.schema != nil && p.view.key() == view.key() &&
		string(p.view.Tool.Definition) == string(view.Tool.Definition)
	p.view = view
	p.bar.setBlocked(view.Blocked)
	if same {
		return
	}
	p.Cancel()
	definition := Define(view.Tool.Definition)
	p.title.Set(definition.Called(view.Tool.Name))
	p.what.Set(definition.Description)
	p.schema = toolform.Parse(definition.InputSchema)
	p.asJSON = false
	p.mode.Follow(0)
	p.form = newForm(p.schema.New(), formOptions{owner: p, page: p.scroll})
	p.showInputs()
	p.outcome.clear()
	p.showPast()
	kit.Relayout(p.root)
	p.arrange()
	p.scroll.ScrollToTop()
	if schema := p.schema; len(definition.InputSchema) > quickSchema {
		p.background(func() { schema.Unchecked() }, func() {
			if p.schema == schema {
				p.check()
			}
		})
		return
	}
	p.check()
}

// Continue shows what was filled in on another page, and its earlier runs. A call in progress stays with the other
// page.
func (p *Page) Continue(before *Page) {
	p.runs = before.runs
	if before.schema == nil {
		return
	}
	p.Apply(before.view)
	if before.asJSON {
		p.json.SetText(before.json.Text())
		p.asJSON = true
		p.mode.Follow(1)
		p.showInputs()
	} else {
		p.form.show(before.form.root)
	}
	p.check()
}

// quickSchema is the largest schema, in bytes, whose check is prepared at once. The check of a larger schema is
// prepared in the background.
const quickSchema = 4 << 10

func (p *Page) arrange() { p.scroll.Arrange() }

// The form of the page.
func (p *Page) submit()   { p.Run() }
func (p *Page) changed()  { p.check() }
func (p *Page) reshaped() { p.arrange() }

// showInputs shows the form or the JSON.
func (p *Page) showInputs() {
	if p.asJSON {
		tall := kit.NewGap(0, jsonHeight)
		p.inputs.Objects = []fyne.CanvasObject{kit.Column(kit.Gap, container.NewStack(tall, p.json), p.jsonWords)}
	} else {
		p.inputs.Objects = []fyne.CanvasObject{p.form.body}
	}
	p.inputs.Refresh()
	p.arrange()
}

// jsonHeight is the height of the arguments as JSON, in pixels.
const jsonHeight = 220

// changeMode changes between the form and JSON. If the arguments cannot be converted, it says why and changes nothing.
func (p *Page) changeMode(index int) {
	if (index == 1) == p.asJSON {
		return
	}
	if index == 1 {
		arguments, problems := p.schema.Arguments(p.form.root)
		if len(problems) > 0 {
			p.mode.Follow(0)
			p.form.strict = true
			p.form.report(problems)
			p.reveal(p.form.firstProblem(problems))
			return
		}
		p.json.SetText(toolform.Pretty(arguments))
	} else {
		filled, err := p.schema.Fill(json.RawMessage(p.json.Text()))
		if err != nil {
			p.mode.Follow(1)
			p.sayJSON(kit.SayError(err))
			return
		}
		p.form.show(filled)
	}
	p.asJSON = index == 1
	p.showInputs()
	p.check()
}

// sayJSON shows the first messages about the JSON.
func (p *Page) sayJSON(messages ...string) {
	p.jsonWords.Objects = nil
	for _, message := range messages[:min(len(messages), 5)] {
		p.jsonWords.Objects = append(p.jsonWords.Objects, wrong(message))
	}
	p.jsonWords.Refresh()
	p.arrange()
}

// check checks the arguments against the schema. While the user is typing, it shows only the problems of touched
// fields.
func (p *Page) check() (problems []toolform.Problem) {
	if p.asJSON {
		problems = p.schema.CheckJSON(json.RawMessage(p.json.Text()))
		var messages []string
		for _, problem := range problems {
			messages = append(messages, kit.Say(problem.Message))
		}
		p.sayJSON(messages...)
	} else {
		problems = p.schema.Check(p.form.root)
		p.form.report(problems)
	}
	if len(problems) == 0 {
		p.bar.setProblems(0, false)
	} else if p.bar.problems > 0 {
		p.bar.setProblems(len(problems), p.writable())
	}
	return problems
}

// writable reports whether there are arguments that can be sent, even if they are wrong.
func (p *Page) writable() bool { return p.arguments() != nil }

// arguments returns the arguments to send now. It returns nil if they are not a JSON object.
func (p *Page) arguments() json.RawMessage {
	if !p.asJSON {
		arguments, problems := p.schema.Arguments(p.form.root)
		if len(problems) > 0 || len(arguments) == 0 || arguments[0] != '{' {
			return nil
		}
		return arguments
	}
	text := json.RawMessage(p.json.Text())
	if _, err := p.schema.Fill(text); err != nil {
		return nil
	}
	return text
}

// Run calls the tool. If the arguments do not fit the schema, it shows the problems and a button to run anyway. The
// window calls Run on Ctrl+Enter.
func (p *Page) Run() {
	if p.run != nil || p.view.Blocked != "" || p.schema == nil {
		return
	}
	if !p.asJSON {
		p.form.strict = true
	}
	problems := p.check()
	if len(problems) > 0 {
		p.bar.setProblems(len(problems), p.writable())
		if !p.asJSON {
			p.reveal(p.form.firstProblem(problems))
		}
		return
	}
	p.start()
}

// Focus focuses the first field or, without fields, the button Run. It gets the canvas as an argument, because a page
// that was not drawn yet has none.
func (p *Page) Focus(canvas fyne.Canvas) {
	canvas.Focus(p.bar.run)
	if p.asJSON || p.form == nil {
		return
	}
	if first := p.form.parts[p.form.root].first(); first != nil && first.focus != nil {
		canvas.Focus(first.focus)
	}
}

func (p *Page) reveal(part *part) {
	p.arrange()
	if part != nil {
		p.scroll.Reveal(part.box)
		p.form.focus(part)
	}
}

// runAnyway calls the tool with arguments that do not fit its schema.
func (p *Page) runAnyway() {
	if p.run == nil && p.view.Blocked == "" {
		p.start()
	}
}

func (p *Page) start() {
	arguments := p.arguments()
	if arguments == nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &run{key: p.view.key(), arguments: arguments, began: p.program.Now(), cancel: cancel}
	p.run = r
	p.bar.setProblems(0, false)
	p.bar.begin()
	p.wg.Go(func() { p.tick(ctx, r) })
	view := p.view
	p.program.Run(ctx, view, arguments,
		func(done, total float64, message string) {
			if p.run == r {
				p.bar.progress(done, total, message)
			}
		},
		func(result json.RawMessage, err error) { p.ended(r, result, err) })
}

// tick updates the elapsed time every second.
func (p *Page) tick(ctx context.Context, r *run) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			p.program.Do(func() {
				if p.run == r {
					p.bar.elapsed(p.program.Now().Sub(r.began))
				}
			})
		}
	}
}

// ended is called when a call has ended. It reads the result in the background and then shows it.
func (p *Page) ended(r *run, result json.RawMessage, err error) {
	if r.ended {
		return
	}
	r.ended = true
	stopped := r.stopped
	r.cancel()
	r.took = p.program.Now().Sub(r.began)
	var read Result
	p.background(func() {
		if err == nil {
			read = Read(result)
		}
	}, func() {
		switch {
		case stopped || errors.Is(err, context.Canceled):
			r.outcome = outcomeCancelled
		case err != nil:
			r.outcome, r.problem = outcomeError, kit.SayError(err)
		case read.Failed:
			r.outcome = outcomeToolError
		default:
			r.outcome = outcomeDone
		}
		if len(result) <= maxKept {
			r.result = result
		}
		p.finish(r, read)
	})
}

// background runs work in the background, then done on the goroutine of the window.
func (p *Page) background(work, done func()) {
	p.wg.Go(func() {
		work()
		p.program.Do(done)
	})
}

// finish shows how a call ended.
func (p *Page) finish(r *run, read Result) {
	if p.run == r {
		p.run = nil
		p.bar.end()
	}
	p.remember(r)
	if p.view.key() != r.key {
		return
	}
	p.outcome.show(r, read)
	p.showPast()
	kit.Relayout(p.root)
	p.arrange()
	p.scroll.ScrollTo(p.outcome.root)
}

// Cancel cancels the call in progress.
func (p *Page) Cancel() {
	if p.run != nil {
		p.run.stopped = true
		p.run.cancel()
		p.bar.cancelling()
	}
}

// Running reports whether a call is in progress.
func (p *Page) Running() bool { return p.run != nil }

// Close cancels the call in progress and waits for the goroutines of the page.
func (p *Page) Close() {
	if p.run != nil {
		p.run.cancel()
	}
	p.wg.Wait()
}
