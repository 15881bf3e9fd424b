package frame

import (
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Status is the line at the bottom. At the left it shows the file and whether everything is saved; at the right it shows problems,
// the apps that use the file, and other notes.
type Status struct {
	Root     fyne.CanvasObject
	Icon     *widget.Icon
	Word     *kit.Text
	File     *TextLink
	Problems *TextLink
	Clients  *kit.Text
	Right    *kit.Text // notes: apps that use another file, and a missing tray

	elsewhere int // the number of engines with another configuration
	trayed    bool
}

func newStatus(actions Actions) *Status {
	s := &Status{
		Icon:     widget.NewIcon(nil),
		Word:     statusText("", theme.ColorText),
		File:     newTextLink(actions.OpenFile),
		Problems: newTextLink(actions.ShowProblems),
		Clients:  kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
		Right:    statusText("", theme.ColorMuted),
	}
	s.Problems.Hide()
	line := container.New(&statusLayout{s}, s.Icon, s.Word, s.File, s.Problems, s.Clients, s.Right)
	s.sayRight()
	s.Root = kit.Column(0, kit.NewLine(), kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel}, kit.Inset(line, kit.Gap, kit.GapBlock)))
	return s
}

func statusText(text string, color fyne.ThemeColorName) *kit.Text {
	return kit.NewText(text, kit.TextStyle{Size: theme.SizeSmall, Color: color})
}

// ShowSaved shows or hides whether the file is saved. The screen with the file's text shows this itself while the user types.
func (s *Status) ShowSaved(shown bool) {
	kit.SetVisible(s.Icon, shown)
	kit.SetVisible(s.Word, shown)
	s.Root.Refresh()
}

// Apply shows a snapshot, the number of its problems and the state of the worst one.
func (s *Status) Apply(now *model.Snapshot, path string, count int, worst theme.State) {
	saved, state := lang.L("Saved"), theme.StateConnected
	switch {
	case now.File.Pending != nil:
		saved, state = lang.L("Not saved"), theme.StateWrong
	case now.File.Problem != nil:
		saved, state = lang.L("Cannot be read"), theme.StateWrong
	case now.File.Now != nil && now.File.Now.Source == nil:
		saved, state = lang.L("No file yet"), theme.StateIdle
	case now.Broken():
		saved, state = lang.L("Cannot be used"), theme.StateWrong
	}
	s.Icon.SetResource(state.Icon())
	s.Word.Set(saved)
	s.File.set(filepath.Base(path), theme.ColorMuted)

	kit.SetVisible(s.Problems, count > 0)
	color := worst.Color()
	s.Problems.set(lang.N("{{.Count}} problems", count, map[string]any{"Count": count}), color)

	s.elsewhere = 0
	for _, engine := range now.Live.Engines {
		if engine.Elsewhere {
			s.elsewhere++
		}
	}
	s.sayRight()
	s.Clients.Set(live.LastClient(now))
	s.Root.Refresh()
}

// HasTray removes the note about a missing tray.
func (s *Status) HasTray() {
	s.trayed = true
	s.sayRight()
}

func (s *Status) sayRight() {
	var parts []string
	if s.elsewhere > 0 {
		parts = append(parts, lang.N("{{.Count}} AI apps use another file", s.elsewhere, map[string]any{"Count": s.elsewhere}))
	}
	if !s.trayed {
		parts = append(parts, lang.L("No tray here: closing the window quits"))
	}
	s.Right.Set(strings.Join(parts, " · "))
}

// statusLayout places the file at the left and the rest at the right. If there is too little room, first the names of the clients are cut, and then
// the name of the file.
type statusLayout struct{ line *Status }

const (
	statusIcon = 14
	statusGap  = 20 // between two items
)

func (l *statusLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(240, max(statusIcon, l.line.Word.MinSize().Height))
}

func (l *statusLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	s := l.line
	put := func(object fyne.CanvasObject, x, width float32) {
		height := object.MinSize().Height
		object.Move(fyne.NewPos(x, (size.Height-height)/2))
		object.Resize(fyne.NewSize(width, height))
	}
	left := float32(0)
	if s.Word.Visible() {
		s.Icon.Move(fyne.NewPos(0, (size.Height-statusIcon)/2))
		s.Icon.Resize(fyne.NewSquareSize(statusIcon))
		put(s.Word, statusIcon+8, s.Word.MinSize().Width)
		left = statusIcon + 8 + s.Word.MinSize().Width + statusGap
	}
	file, clients := s.File.MinSize().Width, s.Clients.Full().Width
	end := size.Width
	if width := s.Right.MinSize().Width; width > 0 {
		put(s.Right, end-width, width)
		end -= width + statusGap
	}
	problems := float32(0)
	if s.Problems.Visible() {
		problems = s.Problems.MinSize().Width + statusGap
	}
	clients = max(0, min(clients, end-left-file-statusGap-problems))
	put(s.Clients, end-clients, clients)
	if clients > 0 {
		end -= clients + statusGap
	}
	if problems > 0 {
		put(s.Problems, end+statusGap-problems, problems-statusGap)
		end -= problems
	}
	put(s.File, left, max(0, min(file, end-left)))
}
