package toolboxes

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// trail is the right side: the page of a toolbox or the selected server, with a notice above and the problems below.
type trail struct {
	side                 *fyne.Container
	page                 *page
	detail               *detail
	notice               *notice
	strip                *strip
	pageSide, detailSide *kit.Curtain // show and hide page and detail
}

func newTrail(screen *Screen, server fyne.CanvasObject) *trail {
	t := &trail{page: newPage(screen), detail: newDetail(screen, server), notice: newNotice(screen), strip: newStrip(screen)}
	t.pageSide, t.detailSide = kit.NewCurtain(t.page.root), kit.NewCurtain(t.detail.root)
	t.side = kit.Arranged(func() fyne.Size {
		return fyne.NewSize(320, 300)
	}, t.place, t.notice.root, t.page.root, t.detail.root, t.strip)
	t.detail.root.Hide()
	return t
}

// show shows the server or the page, and the problems or not.
func (t *trail) show(server, problems bool) {
	if server != t.detail.root.Visible() || problems != t.strip.Visible() {
		t.detailSide.Set(server)
		t.pageSide.Set(!server)
		kit.SetVisible(t.strip, problems)
		t.relayout()
	}
}

// place lays out the parts: a notice at the top, the page or the server, and the problems at the bottom.
func (t *trail) place(size fyne.Size) {
	top, bottom := float32(0), size.Height
	if t.notice.root.Visible() {
		width := pageWidth(size.Width)
		t.notice.root.Move(fyne.NewPos(kit.GapEdge, kit.GapWide))
		t.notice.root.Resize(fyne.NewSize(width, t.notice.root.Size().Height)) // The least height depends on the width.
		height := t.notice.root.MinSize().Height
		t.notice.root.Resize(fyne.NewSize(width, height))
		top = height + kit.GapWide
	}
	if t.strip.Visible() {
		width := pageWidth(size.Width)
		height := t.strip.height(width, size.Height)
		bottom -= height + kit.GapWide
		t.strip.Move(fyne.NewPos(kit.GapEdge, bottom))
		t.strip.Resize(fyne.NewSize(width, height))
		bottom -= kit.Gap
	}
	for _, object := range []fyne.CanvasObject{t.page.root, t.detail.root} {
		object.Move(fyne.NewPos(0, top))
		object.Resize(fyne.NewSize(size.Width, max(0, bottom-top)))
	}
}

// relayout lays out the parts again after the height of one has changed.
func (t *trail) relayout() { kit.Relayout(t.side) }
