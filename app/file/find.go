package file

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// finder is the line above the code in which the user searches the visible text. It does not find hidden secrets.
// Ctrl+F opens it and Esc closes it.
type finder struct {
	code  *code.Entry
	root  *fyne.Container
	field *kit.Input
	count *kit.Text

	found []foundAt
	at    int // the index of the selected match
}

// foundAt is the position of a match; line and column count from 1.
type foundAt struct{ line, column int }

// maxFound is the most matches that are counted.
const maxFound = 10_000

// findWidth is the greatest width of the line, in pixels.
const findWidth = 640

func newFinder(code *code.Entry, closed func()) *finder {
	f := &finder{code: code, count: kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})}
	f.field = kit.NewSearch(lang.L("Search"), func(string) { f.search(0) })
	f.field.OnSubmitted = func(string) { f.search(1) }
	f.field.OnArrow(f.search)
	end := func() { f.root.Hide(); closed() }
	f.field.OnEscape = end
	f.root = kit.NewNarrow(findWidth, kit.Row(kit.GapTight, kit.Rest(f.field), f.count,
		kit.NewIconButton(base.MoveUpIcon(), lang.L("Previous match"), func() { f.search(-1) }),
		kit.NewIconButton(base.MoveDownIcon(), lang.L("Next match"), func() { f.search(1) }),
		kit.NewIconButton(base.CancelIcon(), lang.L("Close"), end)))
	f.root.Hide()
	return f
}

// open shows the line, gives it the focus, and searches for the selected text.
func (f *finder) open(canvas fyne.Canvas) {
	f.root.Show()
	if words := f.code.SelectedText(); words != "" && !strings.Contains(words, "\n") {
		f.field.SetText(words)
	}
	canvas.Focus(f.field)
	f.field.TypedShortcut(&fyne.ShortcutSelectAll{})
	f.search(0)
}

// search goes to the next match, or with -1 to the previous one. With 0 it stays at a match that is already selected.
func (f *finder) search(by int) {
	line, column := f.code.Caret()
	if words := []rune(f.code.SelectedText()); len(words) > 0 && len(f.found) > 0 && f.found[f.at].line == line {
		column = f.found[f.at].column
	}
	f.found = places(f.code.Text(), f.field.Text)
	f.root.Refresh()
	switch {
	case f.field.Text == "":
		f.count.Set("")
		return
	case len(f.found) == 0:
		f.count.Set(lang.L("Nothing matches"))
		return
	}
	// The first match that is not before the caret.
	f.at = slices.IndexFunc(f.found, func(p foundAt) bool {
		return p.line > line || p.line == line && p.column >= column
	})
	here := f.at >= 0 && f.found[f.at] == foundAt{line, column}
	switch {
	case f.at < 0:
		f.at = 0
		if by < 0 {
			f.at = len(f.found) - 1
		}
	case by < 0 || by > 0 && here:
		f.at = (f.at + by + len(f.found)) % len(f.found)
	}
	f.code.Select(f.found[f.at].line, f.found[f.at].column, len([]rune(f.field.Text)))
	all := strconv.Itoa(len(f.found))
	if len(f.found) == maxFound {
		all += "+"
	}
	f.count.Set(lang.L("{{.At}} of {{.All}}", map[string]any{"At": f.at + 1, "All": all}))
	f.root.Refresh()
}

// places returns the positions of words in a text, ignoring case.
func places(text, words string) []foundAt {
	var found []foundAt
	wanted := lower(words)
	if len(wanted) == 0 {
		return nil
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		letters := lower(line)
		for from := 0; from+len(wanted) <= len(letters); {
			if !slices.Equal(letters[from:from+len(wanted)], wanted) {
				from++
				continue
			}
			if found = append(found, foundAt{number, from + 1}); len(found) == maxFound {
				return found
			}
			from += len(wanted)
		}
	}
	return found
}

// lower returns the characters of a text in lower case. Their number does not change.
func lower(text string) []rune {
	letters := []rune(text)
	for i, letter := range letters {
		letters[i] = unicode.ToLower(letter)
	}
	return letters
}
