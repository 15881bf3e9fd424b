package clients

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// diffLine is a line of a change as shown.
type diffLine struct {
	sign rune // '+', '-', or ' ' for one that stays; '@' begins another place
	text string
}

// How much of a change is shown. It is a few lines of a file that may be of any size, and may be one line.
const (
	maxDiffLines = 200
	maxDiffText  = 700 // letters of a line
)

// diffLines reads a unified difference.
func diffLines(unified string) []diffLine {
	var lines []diffLine
	inside := false
	for line := range strings.Lines(unified) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "@@"):
			if inside {
				lines = append(lines, diffLine{sign: '@', text: "⋯"})
			}
			inside = true
			continue
		case !inside || strings.HasPrefix(line, `\`): // the names, and what is said of the last line break
			continue
		case line == "":
			line = " "
		}
		if len(lines) == maxDiffLines {
			return append(lines, diffLine{sign: '@', text: "⋯"})
		}
		text := []rune(strings.Map(plain, strings.ReplaceAll(line[1:], "\t", "    ")))
		if len(text) > maxDiffText {
			text = append(text[:maxDiffText], '…')
		}
		lines = append(lines, diffLine{rune(line[0]), string(text)})
	}
	return lines
}

// plain puts a dot in the place of what cannot be seen, or would turn the direction of writing.
func plain(r rune) rune {
	if r != ' ' && !unicode.IsGraphic(r) {
		return '·'
	}
	return r
}

// NewDiff shows a change of a file.
func NewDiff(file, unified string) fyne.CanvasObject {
	text := widget.NewRichText()
	for _, line := range diffLines(unified) {
		style := widget.RichTextStyle{SizeName: theme.SizeSmall, ColorName: theme.ColorMuted, TextStyle: fyne.TextStyle{Monospace: true}}
		sign := " "
		switch line.sign {
		case '+':
			sign, style.ColorName = "+", theme.ColorGood
		case '-':
			sign, style.ColorName = "−", theme.ColorWrong
		}
		text.Segments = append(text.Segments, &widget.TextSegment{Text: sign + " " + line.text, Style: style})
	}
	text.Refresh()
	name := paragraph(lang.L("Changes in {{.File}}", map[string]any{"File": file}), kit.TextStyle{Size: theme.SizeSmall, Bold: true})
	scroll := container.NewHScroll(text)
	return kit.Column(4, name, kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel, Line: theme.ColorLine, Radius: theme.SizeFieldRadius}, scroll))
}
