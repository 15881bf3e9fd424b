package file

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// versionList is the list of versions, newest first. The arrow keys choose one.
type versionList struct {
	*kit.List
	versions []store.Version
	now      time.Time
	chosen   string // the ID of the chosen version
}

func newVersionList(choose func(id string)) *versionList {
	l := &versionList{}
	l.List = kit.NewList(func() int { return len(l.versions) }, newVersionRow,
		func(i int, r *versionRow) { r.show(l.versions[i], l.versions[i].ID == l.chosen, l.now) })
	l.Follows = true
	l.OnChosen = func(i int) {
		if i < len(l.versions) && l.versions[i].ID != l.chosen {
			l.chosen = l.versions[i].ID
			l.Refresh()
			choose(l.chosen)
		}
	}
	return l
}

// show shows versions. The chosen version stays chosen if it is among them.
func (l *versionList) show(versions []store.Version, now time.Time) {
	l.versions, l.now = versions, now
	l.UnselectAll()
	l.Refresh()
	if i := slices.IndexFunc(versions, func(v store.Version) bool { return v.ID == l.chosen }); i >= 0 {
		l.Choose(i)
	}
}

// versionRow is a row of the list: what made the version, when and by whom.
type versionRow struct {
	widget.BaseWidget
	title, note *kit.Text
	root        fyne.CanvasObject
}

func newVersionRow() *versionRow {
	r := &versionRow{
		title: kit.NewText("", kit.TextStyle{Shrinks: true}),
		note:  kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
	}
	r.root = kit.Inset(kit.Column(kit.GapHair, r.title, r.note), kit.Gap, kit.GapWide)
	r.ExtendBaseWidget(r)
	return r
}

func (r *versionRow) show(version store.Version, chosen bool, now time.Time) {
	r.title.SetStyle(versionTitle(version), kit.TextStyle{Bold: chosen, Shrinks: true})
	r.note.Set(kit.Facts(when(version.Time, now), authorOf(version)))
}

// CreateRenderer implements [fyne.Widget].
func (r *versionRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.root) }
