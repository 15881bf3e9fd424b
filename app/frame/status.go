package frame

import (
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Status is the line at the bottom. At the left it shows whether everything is saved, the file and the problems; at
// the right it shows the apps that use the file, and other notes. Its links are at the left, so that a [Toast] covers
// none of them.
type Status struct {
	Root     fyne.CanvasObject
	Icon     *widget.Icon
	Word     *kit.Text
	File     *TextLink
	Problems *TextLink
	Clients  *kit.Text
	Right    *kit.Text // notes: apps that use another file, and a missing tray

	saved *fyne.Container // Icon and Word

	elsewhere int  // the number of engines with another configuration
	trayed    bool // there is a tray
}

func newStatus(program Program) *Status {
	s := &Status{
		Icon:     widget.NewIcon(nil),
		Word:     statusText("", theme.ColorText),
		File:     newTextLink(program.ShowFile),
		Problems: newTextLink(program.ShowProblems),
		Clients:  kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
		Right:    statusText("", theme.ColorMuted),
	}
	s.Problems.Hide()
	s.saved = kit.Row(kit.Gap, kit.Sized(statusIcon, statusIcon, s.Icon), s.Word)
	// If there is too little room, first the names of the clients are cut, and then the name of the file.
	line := kit.Row(kit.GapBlock, s.saved, s.File, s.Problems, kit.Rest(kit.NewGap(0, 0)), s.Clients, s.Right)
	s.sayRight()
	s.Root = kit.Column(0, widget.NewSeparator(),
		kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel}, kit.Inset(line, kit.Gap, kit.GapBlock)))
	return s
}

func statusText(text string, color fyne.ThemeColorName) *kit.Text {
	return kit.NewText(text, kit.TextStyle{Size: theme.SizeSmall, Color: color})
}

// ShowSaved shows or hides Icon and Word, which say whether the file is saved. The screen with the file's text says
// this itself while the user types.
func (s *Status) ShowSaved(shown bool) {
	kit.SetVisible(s.saved, shown)
	s.Root.Refresh()
}

// Apply shows a snapshot, the number of its problems and the state of the worst one.
func (s *Status) Apply(now *model.Snapshot, path string, count int, worst theme.State) {
	saved, state := lang.L("Saved"), theme.StateConnected
	switch {
	case now.File.Pending != nil:
		saved, state = lang.L("Not saved"), theme.StateWrong
	case now.File.Problem != nil:
		saved, state = lang.L("The file cannot be read"), theme.StateWrong
	case now.File.Now != nil && now.File.Now.Source == nil:
		saved, state = lang.L("No file yet"), theme.StateIdle
	case now.Broken():
		saved, state = lang.L("Cannot be used"), theme.StateWrong
	}
	s.Icon.SetResource(state.Icon())
	s.Word.Set(saved)
	s.File.set(filepath.Base(path), theme.ColorMuted)

	kit.SetVisible(s.Problems, count > 0)
	s.Problems.set(lang.N("{{.Count}} problems", count, map[string]any{"Count": count}), worst.Color())

	s.elsewhere = 0
	for _, engine := range now.Live.Engines {
		if engine.Elsewhere {
			s.elsewhere++
		}
	}
	s.sayRight()
	s.Clients.Set(live.LastClient(now))
	kit.SetVisible(s.Clients, s.Clients.Text() != "")
	s.Root.Refresh()
}

// linksEnd returns where the links end, in pixels from the left.
func (s *Status) linksEnd() float32 {
	last := s.File
	if s.Problems.Visible() {
		last = s.Problems
	}
	return kit.GapBlock + last.Position().X + min(last.Size().Width, last.Full().Width)
}

// HasTray removes the note about a missing tray.
func (s *Status) HasTray() {
	s.trayed = true
	s.sayRight()
}

func (s *Status) sayRight() {
	var parts []string
	if s.elsewhere > 0 {
		parts = append(parts, lang.N("{{.Count}} AI apps use another file", s.elsewhere,
			map[string]any{"Count": s.elsewhere}))
	}
	if !s.trayed {
		parts = append(parts, lang.L("No tray here: closing the window quits"))
	}
	s.Right.Set(kit.Facts(parts...))
	kit.SetVisible(s.Right, len(parts) > 0)
}

// statusIcon is the width and height of the icon, in pixels.
const statusIcon = 14
