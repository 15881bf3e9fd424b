package app

import (
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// statusLine is the line at the bottom: whether all is saved and which file it is; and at the right what is wrong, who uses it, and
// what else is good to know.
type statusLine struct {
	root     fyne.CanvasObject
	icon     *widget.Icon
	word     *kit.Text
	file     *textLink
	problems *textLink
	clients  *kit.Text
	right    *kit.Text // that others use another file, and that there is no tray

	elsewhere int // engines with another configuration
	trayed    bool
}

func newStatusLine(actions windowActions) *statusLine {
	s := &statusLine{
		icon:     widget.NewIcon(nil),
		word:     statusText("", theme.ColorText),
		file:     newTextLink(actions.openFile),
		problems: newTextLink(actions.showProblems),
		clients:  kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
		right:    statusText("", theme.ColorMuted),
	}
	s.problems.Hide()
	line := container.New(&statusLayout{s}, s.icon, s.word, s.file, s.problems, s.clients, s.right)
	s.sayRight()
	s.root = kit.Column(0, kit.NewLine(), kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel}, kit.Inset(line, 8, 16)))
	return s
}

func statusText(text string, color fyne.ThemeColorName) *kit.Text {
	return kit.NewText(text, kit.TextStyle{Size: theme.SizeSmall, Color: color})
}

// showSaved shows or leaves out whether the file is saved. The screen with the file's text knows better, while one types there.
func (s *statusLine) showSaved(shown bool) {
	kit.SetVisible(s.icon, shown)
	kit.SetVisible(s.word, shown)
	s.root.Refresh()
}

// apply shows a snapshot.
func (s *statusLine) apply(now *shown) {
	saved, state := lang.L("Saved"), theme.StateConnected
	switch {
	case now.File.Pending != nil:
		saved, state = lang.L("Not saved"), theme.StateWrong
	case now.File.Problem != nil:
		saved, state = lang.L("Cannot be read"), theme.StateWrong
	case now.File.Now != nil && now.File.Now.Source == nil:
		saved, state = lang.L("No file yet"), theme.StateIdle
	case now.view.Broken:
		saved, state = lang.L("Cannot be used"), theme.StateWrong
	}
	s.icon.SetResource(state.Icon())
	s.word.Set(saved)
	s.file.set(filepath.Base(now.view.Path), theme.ColorMuted)

	count := len(now.view.Problems)
	kit.SetVisible(s.problems, count > 0)
	color := now.view.Worst().Color()
	s.problems.set(lang.N("{{.Count}} problems", count, map[string]any{"Count": count}), color)

	s.elsewhere = 0
	for _, engine := range now.Live.Engines {
		if engine.Elsewhere {
			s.elsewhere++
		}
	}
	s.sayRight()
	s.clients.Set(live.LastClient(now.Snapshot))
	s.root.Refresh()
}

// hasTray leaves out that there is no tray.
func (s *statusLine) hasTray() {
	s.trayed = true
	s.sayRight()
}

func (s *statusLine) sayRight() {
	var parts []string
	if s.elsewhere > 0 {
		parts = append(parts, lang.N("{{.Count}} AI apps use another file", s.elsewhere, map[string]any{"Count": s.elsewhere}))
	}
	if !s.trayed {
		parts = append(parts, lang.L("No tray here: closing the window quits"))
	}
	s.right.Set(strings.Join(parts, " · "))
}

// statusLayout puts the file to the left and the rest to the right. When there is too little room, the names of the clients give
// way first, and then the name of the file.
type statusLayout struct{ line *statusLine }

const (
	statusIcon = 14
	statusGap  = 20 // between two things that are said
)

func (l *statusLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(240, max(statusIcon, l.line.word.MinSize().Height))
}

func (l *statusLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	s := l.line
	put := func(object fyne.CanvasObject, x, width float32) {
		height := object.MinSize().Height
		object.Move(fyne.NewPos(x, (size.Height-height)/2))
		object.Resize(fyne.NewSize(width, height))
	}
	left := float32(0)
	if s.word.Visible() {
		s.icon.Move(fyne.NewPos(0, (size.Height-statusIcon)/2))
		s.icon.Resize(fyne.NewSquareSize(statusIcon))
		put(s.word, statusIcon+8, s.word.MinSize().Width)
		left = statusIcon + 8 + s.word.MinSize().Width + statusGap
	}
	file, clients := s.file.MinSize().Width, s.clients.Full().Width
	end := size.Width
	if width := s.right.MinSize().Width; width > 0 {
		put(s.right, end-width, width)
		end -= width + statusGap
	}
	problems := float32(0)
	if s.problems.Visible() {
		problems = s.problems.MinSize().Width + statusGap
	}
	clients = max(0, min(clients, end-left-file-statusGap-problems))
	put(s.clients, end-clients, clients)
	if clients > 0 {
		end -= clients + statusGap
	}
	if problems > 0 {
		put(s.problems, end+statusGap-problems, problems-statusGap)
		end -= problems
	}
	put(s.file, left, max(0, min(file, end-left)))
}
