package tryit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// bar is the line at the bottom: Run, the progress of the call, and Cancel at the other end. Run stays in its place
// and keeps the focus while a tool runs, so that a second click or key never cancels the call.
type bar struct {
	root     fyne.CanvasObject
	run      *kit.Button
	anyway   *kit.Button
	cancel   *kit.Button
	words    *kit.Text
	seconds  *kit.Text
	meter    *widget.ProgressBar
	mark     fyne.CanvasObject // shown while the tool runs; not animated, because a call may take long
	meters   *fyne.Container
	problems int
	possible bool // the tool can be run with these problems
	blocked  string
	running  bool
}

func newBar(run, anyway, cancel func()) *bar {
	b := &bar{
		run:     kit.NewButtonWithIcon(lang.L("Run"), base.MediaPlayIcon(), widget.HighImportance, run),
		anyway:  kit.NewButton(lang.L("Run anyway"), widget.MediumImportance, anyway),
		cancel:  kit.NewButton(lang.L("Cancel"), widget.MediumImportance, cancel),
		words:   kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
		seconds: kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
		meter:   widget.NewProgressBar(),
		mark:    kit.Sized(16, 16, widget.NewIcon(theme.StateWorking.Icon())),
	}
	b.meter.TextFormatter = func() string { return "" }
	b.meter.Hide()
	b.meters = kit.Sized(120, 8, b.meter)
	line := kit.Row(kit.Gap, b.run, b.anyway, b.mark, kit.Rest(b.words), b.seconds, b.meters, b.cancel)
	b.root = kit.Column(0, widget.NewSeparator(),
		kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel}, kit.Inset(line, kit.Gap, kit.GapEdge)))
	b.draw()
	return b
}

func (b *bar) draw() {
	importance := widget.HighImportance
	if b.running {
		importance = widget.LowImportance
	}
	if b.run.Importance != importance {
		b.run.Importance = importance
		b.run.Refresh()
	}
	had := b.anyway.Focused() || b.cancel.Focused()
	kit.SetVisible(b.anyway, !b.running && b.problems > 0 && b.possible)
	kit.SetVisible(b.cancel, b.running)
	if had && !b.anyway.Focused() && !b.cancel.Focused() {
		kit.Focus(b.run)
	}
	kit.SetVisible(b.mark, b.running)
	kit.SetVisible(b.meters, b.running && b.meter.Visible())
	kit.SetVisible(b.seconds, b.running)
	kit.SetEnabled(b.run, b.blocked == "")
	style := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}
	switch {
	case b.running:
	case b.blocked != "":
		b.words.SetStyle(b.blocked, style)
	case b.problems > 0:
		style.Color = theme.ColorWrong
		b.words.SetStyle(lang.N("{{.Count}} things to correct", b.problems, map[string]any{"Count": b.problems}), style)
	default:
		b.words.SetStyle("", style)
	}
	b.root.Refresh()
}

// setProblems sets the number of problems. possible says whether the tool can be run anyway; then there is a button
// for that.
func (b *bar) setProblems(count int, possible bool) {
	b.problems, b.possible = count, possible
	b.draw()
}

func (b *bar) setBlocked(why string) {
	b.blocked = why
	b.draw()
}

func (b *bar) begin() {
	b.running = true
	b.seconds.Set("")
	b.words.SetStyle(lang.L("Running"), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWorking, Shrinks: true})
	b.meter.Hide()
	b.cancel.Enable()
	b.draw()
}

func (b *bar) end() {
	b.running = false
	b.draw()
}

func (b *bar) cancelling() {
	b.cancel.Disable()
	b.words.Set(lang.L("Cancelling…"))
}

func (b *bar) elapsed(took time.Duration) {
	b.seconds.Set(lang.L("{{.Count}} s", map[string]any{"Count": int(took.Seconds())}))
	b.root.Refresh()
}

// progress shows the progress that the server reports. Numbers that make no sense are ignored.
func (b *bar) progress(done, total float64, message string) {
	if message = kit.Cut(message, 200); message != "" {
		b.words.Set(message)
	}
	if share := done / total; total > 0 && share >= 0 && share <= 1 {
		b.meter.Show()
		b.meter.SetValue(share)
		b.draw()
	}
}
