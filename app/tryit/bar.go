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

// bar is the line at the bottom: Run, how the call is going, and at the other end Cancel. Each button has its place, and Run keeps the
// keyboard while it does nothing, so that a second click or key never does the opposite of the first.
type bar struct {
	root     fyne.CanvasObject
	run      *kit.Button
	anyway   *kit.Button
	cancel   *kit.Button
	words    *kit.Text
	seconds  *kit.Text
	meter    *widget.ProgressBar
	mark     fyne.CanvasObject // while it runs; nothing moves, as a call may take as long as it likes
	meters   *fyne.Container
	problems int
	blocked  string
	running  bool
}

func newBar(run, anyway, cancel func()) *bar {
	b := &bar{
		run:     kit.NewButton(lang.L("Run"), widget.HighImportance, run),
		anyway:  kit.NewButton(lang.L("Run anyway"), widget.MediumImportance, anyway),
		cancel:  kit.NewButton(lang.L("Cancel"), widget.MediumImportance, cancel),
		words:   kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
		seconds: kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
		meter:   widget.NewProgressBar(),
		mark:    kit.Sized(16, 16, widget.NewIcon(theme.StateWorking.Icon())),
	}
	b.run.Icon = base.MediaPlayIcon()
	b.meter.TextFormatter = func() string { return "" }
	b.meter.Hide()
	b.meters = kit.Sized(120, 8, b.meter)
	line := kit.Row(kit.Gap, b.run, b.anyway, b.mark, kit.Rest(b.words), b.seconds, b.meters, b.cancel)
	b.root = kit.Column(0, kit.NewLine(), kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel}, kit.Inset(line, kit.Gap, kit.GapEdge)))
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
	kit.SetVisible(b.anyway, !b.running && b.problems > 0)
	kit.SetVisible(b.cancel, b.running)
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
		b.words.SetStyle(lang.L("{{.Keys}} runs it too.", map[string]any{"Keys": kit.Keys("Ctrl+Enter")}), style)
	}
	b.root.Refresh()
}

// setProblems says that so many things are not right, and offers to run all the same where that is possible.
func (b *bar) setProblems(count int, possible bool) {
	b.problems = count
	b.draw()
	if !possible {
		b.anyway.Hide()
	}
}

func (b *bar) setBlocked(why string) {
	b.blocked = why
	b.draw()
}

func (b *bar) begin() {
	b.running = true
	b.seconds.Set("")
	b.words.SetStyle(lang.L("Running…"), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWorking, Shrinks: true})
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

// progress shows how far the server says that it is. Of what it sends nothing is believed but that.
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
