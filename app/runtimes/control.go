package runtimes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// progressWidth is the width of the bar, in pixels. It is fixed, because the text changes all the time and nothing
// should move.
const progressWidth = 260

// control is a button that installs or updates a runtime. While the runtime is being installed, the control shows the
// progress and a button to cancel instead. Once the newest version is installed, it shows nothing. A control follows
// the service by itself while it is shown, so it can be in a list that is rebuilt or in a dialog.
type control struct {
	widget.BaseWidget
	service  *Service
	id       string
	get      *kit.Button
	cancel   *kit.Button
	words    *kit.Text
	progress *widget.ProgressBar
	busy     *fyne.Container
	changed  func(there bool) // see Service.Control; nil while the control is made
	shown    model.Runtime    // the state that is shown
	wanted   bool             // there is something to install, so something is shown
}

// Control returns a button that installs a runtime and then shows the progress. It calls changed when it looks
// different, and tells it whether the runtime is installed. It returns nil if the runtime cannot be installed here, or
// if its newest version is installed.
func (s *Service) Control(id string, importance widget.Importance, changed func(there bool)) fyne.CanvasObject {
	if known, ok := s.Find(id); !ok || known.Installed != "" && !known.Busy && !known.Outdated {
		return nil
	}
	c := &control{service: s, id: id, progress: widget.NewProgressBar()}
	c.get = kit.NewButton("", importance, func() {
		focused := c.get.Focused()
		s.Get(id, nil)
		if focused && c.busy.Visible() {
			kit.Focus(c.cancel)
		}
	})
	c.cancel = kit.NewButton(lang.L("Cancel"), widget.MediumImportance, func() { s.Cancel(id) })
	c.words = kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})
	c.progress.TextFormatter = func() string { return "" }
	c.busy = kit.Row(kit.Gap, kit.Rest(
		kit.Sized(progressWidth, 0, kit.Column(kit.GapHair, c.words, kit.Sized(1, 4, c.progress)))), c.cancel)
	c.ExtendBaseWidget(c)
	c.follow() // before changed is set, so that changed is not called yet
	c.changed = changed
	return c
}

// follow shows the current state of the runtime.
func (c *control) follow() {
	now, ok := c.service.Find(c.id)
	wanted := ok && (now.Busy || now.Installed == "" || now.Outdated)
	different := wanted != c.wanted || now.Busy != c.shown.Busy
	c.shown, c.wanted = now, wanted
	if label := Label(now, false); ok && c.get.Text != label {
		c.get.SetText(label)
		different = true
	}
	if now.Busy {
		c.progress.SetValue(share(now.Progress))
		c.words.Set(Doing(now))
	}
	if !different {
		return
	}
	kit.SetVisible(c.get, wanted && !now.Busy)
	kit.SetVisible(c.busy, wanted && now.Busy)
	c.Refresh()
	if c.changed != nil {
		c.changed(ok && now.Installed != "" && !now.Busy)
	}
}

// TakeFocus focuses the button that is visible.
func (c *control) TakeFocus() {
	if c.busy.Visible() {
		kit.Focus(c.cancel)
	} else {
		kit.Focus(c.get)
	}
}

// MinSize returns the size of the larger look, so that nothing around the control moves when an installation begins.
// It is zero if nothing is shown.
func (c *control) MinSize() fyne.Size {
	if !c.wanted {
		return fyne.Size{}
	}
	return c.get.MinSize().Max(c.busy.MinSize())
}

// CreateRenderer implements [fyne.Widget].
func (c *control) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{widget.NewSimpleRenderer(container.NewStack(c.get, c.busy)), c.service}
	c.service.followers[r] = c.follow
	return r
}

// renderer follows the service until Fyne drops it.
type renderer struct {
	fyne.WidgetRenderer
	service *Service
}

func (r *renderer) Destroy() {
	delete(r.service.followers, r)
	r.WidgetRenderer.Destroy()
}
