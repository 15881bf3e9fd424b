package tryit

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Limits of text that is laid out with line breaks. Longer text is shown in a view that draws only the visible lines.
const (
	maxPlain      = 4000 // bytes
	maxPlainLines = 60
	maxCodeLines  = 18   // the largest height of such a view, in lines
	maxLine       = 2000 // bytes of a line in such a view
	maxView       = 32 << 20
	maxHasty      = 256 << 10 // bytes that are prepared at once; longer text is prepared in the background
)

// newReading returns text that can be selected.
func newReading(text string, mono bool) fyne.CanvasObject {
	// Remove the space that Fyne puts around its text, because the layouts here add their own.
	return kit.Inset(kit.NewSelectable(text, kit.TextStyle{Mono: mono}), -kit.Gap, -kit.Gap)
}

// Reading returns text of a server that can be selected, cut after most bytes.
func Reading(text string, most int) fyne.CanvasObject {
	text, all := clean(strings.TrimSpace(text), most)
	if !all {
		text += "…"
	}
	return newReading(text, false)
}

// text returns the text of a block. If it is long, only its beginning is shown, with a button to see all.
func (o *outcome) text(block Block) fyne.CanvasObject {
	if len(block.Text) <= maxPlain && block.Lines <= maxPlainLines {
		text, _ := clean(block.Text, maxPlain)
		return newReading(text, false)
	}
	beginning, _ := clean(firstLines(block.Text, maxPlainLines/3), maxPlain/2)
	box := kit.Column(kit.Gap)
	all := kit.NewButton(lang.L("Show all"), widget.LowImportance, nil)
	all.OnTapped = func() {
		box.Objects = []fyne.CanvasObject{o.code(block.Text)}
		box.Refresh()
		o.page.arrange()
	}
	box.Objects = []fyne.CanvasObject{newReading(beginning, false), kit.Row(0, all)}
	return box
}

func firstLines(text string, lines int) string {
	at := 0
	for range lines {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return text
		}
		at += next + 1
	}
	return text[:at]
}

// Code returns text in a fixed-width font that can be selected. It draws only the visible lines.
func Code(text string) fyne.CanvasObject { return prepareCode(text)() }

// code is like Code, but prepares a long text in the background.
func (o *outcome) code(text string) fyne.CanvasObject {
	if len(text) <= maxHasty {
		return Code(text)
	}
	place := container.NewStack()
	var draw func() fyne.CanvasObject
	o.page.background(func() { draw = prepareCode(text) }, func() {
		place.Add(draw())
		o.page.arrange()
	})
	return place
}

// prepareCode prepares text for a view of lines, which takes a while for a long text. It returns a function that makes
// the view.
func prepareCode(text string) (draw func() fyne.CanvasObject) {
	text, all := clean(text, maxView)
	text, lines := breakLong(text)
	return func() fyne.CanvasObject {
		view := code.NewEntry()
		view.SetReadOnly(true)
		view.SetText(text)
		line := fyne.MeasureText("X", view.Theme().Size(theme.SizeText), fyne.TextStyle{Monospace: true}).Height
		height := float32(min(max(lines, 3), maxCodeLines))*line + 24
		view.Resize(fyne.NewSize(100, height))
		box := container.NewStack(kit.NewGap(0, height), view)
		if all {
			return box
		}
		return kit.Column(kit.GapTight, box,
			kit.NewText(lang.L("This is not all of it. Copy or save it to see the rest."),
				kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
}

// breakLong breaks lines longer than maxLine, and returns the number of lines.
func breakLong(text string) (string, int) {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		for more := true; more; more = line != "" {
			end := min(len(line), maxLine)
			for end < len(line) && !utf8.RuneStart(line[end]) {
				end++
			}
			lines = append(lines, line[:end])
			line = line[end:]
		}
	}
	return strings.Join(lines, "\n"), len(lines)
}
