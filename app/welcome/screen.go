package welcome

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Screen draws the steps. Call its methods only on the goroutine of the window.
type Screen struct {
	service *Service
	window  fyne.Window
	view    View
	drawn   string // the signature of the page that is drawn
	footed  string // a description of the buttons that are drawn at the bottom
	waits   bool   // the main button gets the focus as soon as it is enabled

	root    fyne.CanvasObject
	marks   *progress
	page    *kit.Page
	body    *fyne.Container
	foot    fyne.CanvasObject
	buttons map[string]*kit.Button
	boxes   map[string]*kit.Check
	heights map[string]*float32 // the heights of the rows of servers that were tried, by key of the row; they only grow
}

// New returns an empty screen. Apply fills it.
func New(window fyne.Window, service *Service) *Screen {
	s := &Screen{service: service, window: window, buttons: map[string]*kit.Button{}, boxes: map[string]*kit.Check{},
		heights: map[string]*float32{}}
	s.marks = newProgress()
	s.body = kit.Column(kit.GapBlock)
	s.foot = s.newFoot()
	s.page = kit.NewPage(kit.NewCentred(columnWidth, kit.GapEdge, s.body))
	bottom := kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel},
		kit.Column(0, widget.NewSeparator(), kit.NewCentred(columnWidth, kit.GapWide, s.foot)))
	s.root = kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground},
		kit.Column(0, kit.NewCentred(columnWidth, kit.GapBlock, s.marks), widget.NewSeparator(), kit.Rest(s.page), bottom))
	return s
}

// Object returns what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Apply shows view and draws only what has changed. If the page is the same, the focus stays on its control.
func (s *Screen) Apply(view View) {
	turned := view.Page != s.view.Page && s.drawn != ""
	s.view = view
	if box := s.boxes["switch"]; box != nil {
		box.Follow(view.Switch.On) // what was ticked may have failed
	}
	drawn, footed := signature(view), fmt.Sprintf("%#v", []Button{view.Quit, view.Back, view.Skip, view.Main})
	if drawn == s.drawn && footed == s.footed && !turned {
		return
	}
	focused := s.focused()
	if drawn != s.drawn {
		s.marks.Set(view.Step)
		s.drawn = drawn
		s.fill()
	}
	if footed != s.footed {
		s.footed = footed
		s.fillFoot()
	}
	s.page.Arrange()
	if turned {
		s.page.ScrollToTop()
		s.Focus()
		return
	}
	s.refocus(focused)
	if s.waits && s.window.Canvas().Focused() == nil {
		s.Focus()
	}
}

// Focus focuses the main button, so that Enter presses it. If the button is disabled, Apply focuses it once it is
// enabled. Until then nothing has the focus, so that pressing Enter too early skips no step.
func (s *Screen) Focus() {
	button := s.buttons["main"]
	if s.waits = button.Disabled() || !button.Visible(); s.waits {
		s.window.Canvas().Unfocus()
		return
	}
	s.window.Canvas().Focus(button)
}

// Enter presses the main button. It is called when the user presses Enter on a checkbox, or while nothing has the
// focus.
func (s *Screen) Enter() {
	if !s.view.Main.Off {
		s.service.do(s.view.Main)
	}
}

// Escape cancels what is in progress. If nothing is, it goes back.
func (s *Screen) Escape() {
	if s.view.Skip.Action == ActionStop {
		s.service.do(s.view.Skip)
	} else {
		s.service.do(s.view.Back)
	}
}

// signature returns a text that is different for pages that look different. It leaves out the buttons at the bottom,
// which are drawn apart, and the ticks, which the boxes show by themselves.
func signature(view View) string {
	view.Page, view.Quit, view.Back, view.Skip, view.Main, view.Switch.On = 0, Button{}, Button{}, Button{}, Button{},
		false
	view.Rows = slices.Clone(view.Rows)
	for i := range view.Rows {
		view.Rows[i].On = false
	}
	return fmt.Sprintf("%#v", view)
}

// focused returns the key of the button or box that has the focus, or "".
func (s *Screen) focused() string {
	now := s.window.Canvas().Focused()
	for key, button := range s.buttons {
		if now == fyne.Focusable(button) {
			return key
		}
	}
	for key, box := range s.boxes {
		if now == fyne.Focusable(box) {
			return key
		}
	}
	return ""
}

func (s *Screen) refocus(key string) {
	if button := s.buttons[key]; key == "" || s.focused() == key &&
		(button == nil || !button.Disabled() && button.Visible()) {
		return
	}
	canvas := s.window.Canvas()
	if box := s.boxes[key]; box != nil && !box.Disabled() {
		canvas.Focus(box)
		return
	}
	if button := s.buttons[key]; button != nil && !button.Disabled() && button.Visible() {
		canvas.Focus(button)
		return
	}
	s.Focus()
}
