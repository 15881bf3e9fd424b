package file

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

// versionList is the list of versions, newest first. The arrow keys choose one.
type versionList struct {
	widget.List
	versions []store.Version
	now      time.Time
	chosen   string // the ID of the chosen version
	choose   func(id string)
	focused  bool
}

func newVersionList(choose func(id string)) *versionList {
	l := &versionList{choose: choose}
	l.Length = func() int { return len(l.versions) }
	l.CreateItem = func() fyne.CanvasObject { return newVersionRow() }
	l.UpdateItem = func(i widget.ListItemID, object fyne.CanvasObject) {
		if i < len(l.versions) {
			object.(*versionRow).show(l.versions[i], l.versions[i].ID == l.chosen, l.focused, l.now)
		}
	}
	l.OnSelected = func(i widget.ListItemID) {
		if i < len(l.versions) && l.versions[i].ID != l.chosen {
			l.chosen = l.versions[i].ID
			l.Refresh()
			l.choose(l.chosen)
		}
	}
	l.HideSeparators = true
	l.ExtendBaseWidget(l)
	return l
}

// show shows versions. The chosen version stays chosen if it is among them.
func (l *versionList) show(versions []store.Version, now time.Time) {
	l.versions, l.now = versions, now
	l.UnselectAll()
	l.Refresh()
	if i := l.index(); i >= 0 {
		l.Select(i)
	}
}

func (l *versionList) index() int {
	for i, version := range l.versions {
		if version.ID == l.chosen {
			return i
		}
	}
	return -1
}

// TypedKey chooses the next or the previous version.
func (l *versionList) TypedKey(event *fyne.KeyEvent) {
	i := l.index()
	switch event.Name {
	case fyne.KeyUp:
		i--
	case fyne.KeyDown:
		i++
	case fyne.KeyHome:
		i = 0
	case fyne.KeyEnd:
		i = len(l.versions) - 1
	default:
		kit.PassKey(l, event)
		return
	}
	if i = min(max(i, 0), len(l.versions)-1); i >= 0 {
		l.Select(i)
	}
}

// FocusGained implements [fyne.Focusable]. The chosen row shows the focus, not Fyne's own mark next to it.
func (l *versionList) FocusGained() { l.focused = true; l.Refresh() }

// FocusLost implements [fyne.Focusable].
func (l *versionList) FocusLost() { l.focused = false; l.Refresh() }

// versionRow is a row of the list: what made the version, when and by whom.
type versionRow struct {
	widget.BaseWidget
	mark        *kit.Box // next to the focused row
	title, note *kit.Text
	root        fyne.CanvasObject
}

func newVersionRow() *versionRow {
	r := &versionRow{
		title: kit.NewText("", kit.TextStyle{Shrinks: true}),
		note:  kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
	}
	r.mark = kit.NewBox(kit.BoxStyle{Fill: theme.ColorAccent, Radius: theme.SizeChipRadius}, kit.NewGap(kit.GapHair, 0))
	r.mark.Hide()
	r.root = container.NewStack(container.NewBorder(nil, nil, kit.Inset(r.mark, kit.Gap, 0), nil), kit.Inset(kit.Column(kit.GapHair, r.title, r.note), kit.Gap, kit.GapWide))
	r.ExtendBaseWidget(r)
	return r
}

func (r *versionRow) show(version store.Version, chosen, focused bool, now time.Time) {
	kit.SetVisible(r.mark, chosen && focused)
	r.title.SetStyle(versionTitle(version), kit.TextStyle{Bold: chosen, Shrinks: true})
	r.root.Refresh() // lays out the mark
	r.note.Set(when(version.Time, now) + " · " + authorOf(version.Author))
}

// CreateRenderer implements [fyne.Widget].
func (r *versionRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.root) }
