package welcome

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Screen draws the steps. All of its methods belong to the goroutine of the window.
type Screen struct {
	service *Service
	window  fyne.Window
	view    View
	drawn   string // the rows and texts that are drawn
	footed  string // the buttons at the bottom that are
	waits   bool   // the main button gets the keyboard as soon as it can be pressed

	root    fyne.CanvasObject
	marks   *progress
	page    *kit.Page
	body    *fyne.Container
	foot    fyne.CanvasObject
	buttons map[string]*kit.Button
	boxes   map[string]*kit.Check
	heights map[string]*float32 // of the rows of servers that were tried, as high as they were, by key
}

// New makes the screen in a window. It shows nothing until Apply.
func New(window fyne.Window, service *Service) *Screen {
	s := &Screen{service: service, window: window, buttons: map[string]*kit.Button{}, boxes: map[string]*kit.Check{}, heights: map[string]*float32{}}
	s.marks = newProgress()
	s.body = kit.Column(kit.GapBlock)
	s.foot = s.newFoot()
	s.page = kit.NewPage(kit.NewCentred(columnWidth, kit.GapEdge, s.body))
	bottom := kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel}, kit.Column(0, kit.NewLine(), kit.NewCentred(columnWidth, kit.GapWide, s.foot)))
	s.root = kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground},
		kit.Column(0, kit.NewCentred(columnWidth, kit.GapBlock, s.marks), kit.NewLine(), kit.Rest(s.page), bottom))
	return s
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Apply shows another View, as far as that has changed. The keyboard stays on the control where it was, unless it is another page.
func (s *Screen) Apply(view View) {
	turned := view.Page != s.view.Page && s.drawn != ""
	s.view = view
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

// Focus gives the keyboard to the main button as soon as that can be pressed; the Enter key then presses it. No other button gets the
// keyboard by itself: pressing Enter too early must not skip a step.
func (s *Screen) Focus() {
	button := s.buttons["main"]
	if s.waits = button.Disabled() || !button.Visible(); s.waits {
		s.window.Canvas().Unfocus()
		return
	}
	s.window.Canvas().Focus(button)
}

// Enter does what the Enter key does where no button has the keyboard.
func (s *Screen) Enter() {
	if !s.view.Main.Off {
		s.service.do(s.view.Main)
	}
}

// Escape gives up what is under way, else goes back.
func (s *Screen) Escape() {
	switch {
	case s.view.Skip.Action == ActionStop:
		s.service.do(s.view.Skip)
	default:
		s.service.do(s.view.Back)
	}
}

// signature tells pages apart that look different. Ticks are left out: their boxes show them already.
func signature(view View) string {
	view.Page, view.Quit, view.Back, view.Skip, view.Main, view.Switch.On = 0, Button{}, Button{}, Button{}, Button{}, false
	view.Rows = slices.Clone(view.Rows)
	for i := range view.Rows {
		view.Rows[i].On = false
	}
	return fmt.Sprintf("%#v", view)
}

// focused is the key of the control that has the keyboard.
func (s *Screen) focused() string {
	now := s.window.Canvas().Focused()
	if now == nil {
		return ""
	}
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
	if button := s.buttons[key]; key == "" || s.focused() == key && (button == nil || !button.Disabled() && button.Visible()) {
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
