package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// strip shows the problems at the bottom of the right side. While folded it shows the only problem, or the number of
// problems and the first one; if there is no room for that, only the number. If the file is broken, it says so instead
// of the number. Unfolded it lists all problems with their buttons.
type strip struct {
	widget.BaseWidget
	screen   *Screen
	view     View
	unfolded bool
	forced   bool // unfolded because the file is broken, not by the user
	drawn    bool // a View has been drawn at least once
	ground   *kit.Box
	icon     *widget.Icon
	title    *kit.Text
	first    *kit.Text
	where    *kit.Text   // the place of the only problem
	what     *kit.Text   // the message of the only problem
	fix      *kit.Button // repairs the first problem
	showIt   *kit.Button // goes to the first problem
	all      *kit.Button // repairs everything
	fold     *kit.Button
	list     *fyne.Container
	scroll   *container.Scroll
}

func newStrip(screen *Screen) *strip {
	s := &strip{
		screen: screen, view: screen.view, icon: widget.NewIcon(nil),
		title: kit.NewText("", kit.TextStyle{Bold: true}),
		first: kit.NewText("", kit.TextStyle{Shrinks: true}),
		where: kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
		what:  kit.NewText("", kit.TextStyle{Shrinks: true}),
		list:  kit.Column(kit.GapWide),
	}
	s.fix = kit.NewButton("", widget.MediumImportance, func() { screen.fix(s.view.Problems[0]) })
	s.showIt = kit.NewButton(lang.L("Show"), widget.LowImportance, func() { screen.showProblem(s.view.Problems[0]) })
	s.all = kit.NewButton(lang.L("Repair everything"), widget.HighImportance, screen.repairAll)
	s.fold = kit.NewIconButton(nil, lang.L("Show or hide all problems"), func() { s.setUnfolded(!s.unfolded) })
	s.scroll = container.NewVScroll(s.list)
	s.ExtendBaseWidget(s)
	return s
}

// maxProblems is the most problems that are listed at once. The next ones appear when some of these are solved.
const maxProblems = 30

func (s *strip) show(view View) {
	before, unfolded := s.view, s.unfolded
	s.view = view
	if len(view.Problems) == 0 {
		if s.forced {
			s.unfolded, s.forced = false, false
		}
		return
	}
	switch {
	case view.Broken && !before.Broken && !s.unfolded:
		s.unfolded, s.forced = true, true // the toolboxes cannot be edited before the file is repaired
	case !view.Broken && s.forced:
		s.unfolded, s.forced = false, false
	}
	first := view.Problems[0]
	same := before.Broken == view.Broken && s.unfolded == unfolded && lookSame(before.Problems, view.Problems)
	if same && s.drawn {
		return
	}
	s.icon.SetResource(live.OfWeight(view.Worst()).Icon())
	s.fix.SetText(shortName(first.Fix))
	if !lookSame(before.Problems, view.Problems) {
		s.fill()
	}
	s.drawn = true
	s.Refresh()
}

// lookSame reports whether two lists of problems look the same. If they do, the old buttons are kept. New buttons
// would lose the focus.
func lookSame(a, b []Problem) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Where != b[i].Where || a[i].Line != b[i].Line || a[i].Message != b[i].Message || a[i].Hint != b[i].Hint ||
			a[i].Fix != b[i].Fix || a[i].State != b[i].State {
			return false
		}
	}
	return true
}

func (s *strip) fill() {
	s.list.RemoveAll()
	if s.view.Broken && len(s.view.Toolboxes) > 0 {
		s.list.Add(kit.NewParagraph(lang.L("The last working version stays in use. Your file won't change unless you edit it."),
			kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	for _, row := range s.problems(s.view) {
		s.list.Add(row)
	}
	if more := len(s.view.Problems) - maxProblems; more > 0 {
		s.list.Add(kit.NewText(lang.L("and {{.Count}} more", map[string]any{"Count": more}),
			kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
}

// problems returns the rows of the first problems.
func (s *strip) problems(view View) []fyne.CanvasObject {
	var rows []fyne.CanvasObject
	for i, problem := range view.Problems[:min(len(view.Problems), maxProblems)] {
		rows = append(rows, newProblem(problem, i, s))
	}
	return rows
}

// newList returns a card with the first problems, for a screen without toolboxes.
func (s *strip) newList(view View) fyne.CanvasObject {
	return kit.NewCard(kit.Column(kit.GapWide, s.problems(view)...))
}

func (s *strip) setUnfolded(unfolded bool) {
	s.unfolded, s.forced = unfolded, false
	s.Refresh()
	s.screen.stripFolded()
}

// stripHeight is the height of the folded strip, in pixels.
const stripHeight = 54

// height returns the height of the strip, in pixels. width is the width of the strip; room is the height of the right
// side.
func (s *strip) height(width, room float32) float32 {
	if len(s.view.Problems) == 0 {
		return 0
	}
	if !s.unfolded {
		return stripHeight
	}
	s.list.Resize(fyne.NewSize(max(0, width-40), s.list.Size().Height))
	return min(stripHeight+s.list.MinSize().Height+14, max(room*0.45, 140))
}

// Parts implements [kit.Composed].
func (s *strip) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{s.scroll} }

// CreateRenderer implements [fyne.Widget].
func (s *strip) CreateRenderer() fyne.WidgetRenderer {
	s.ground = kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeCardRadius}, nil)
	return kit.NewDrawing(s, func() fyne.Size { return fyne.NewSize(200, stripHeight) }, s.place, s.mark,
		s.ground, s.icon, s.title, s.first, s.where, s.what, s.fix, s.showIt, s.all, s.fold, s.scroll)
}

// place lays out the parts. It also sets the texts, and hides what has no room.
func (s *strip) place(size fyne.Size) {
	s.ground.Resize(size)
	s.icon.Move(fyne.NewPos(16, (stripHeight-16)/2))
	s.icon.Resize(fyne.NewSquareSize(16))
	end := size.Width - 8
	put := func(b *kit.Button) {
		least := b.MinSize()
		end -= least.Width
		b.Move(fyne.NewPos(end, (stripHeight-least.Height)/2))
		b.Resize(least)
		end -= 4
	}
	put(s.fold)
	kit.SetVisible(s.all, s.view.Repairable() && len(s.view.Problems) > 1)
	if s.all.Visible() {
		put(s.all)
	}
	left := float32(44)
	alone := s.alone(end - left)
	for _, text := range []*kit.Text{s.where, s.what} {
		kit.SetVisible(text, alone)
	}
	for _, text := range []*kit.Text{s.title, s.first} {
		kit.SetVisible(text, !alone)
	}
	kit.SetVisible(s.scroll, s.unfolded)
	s.scroll.Move(fyne.NewPos(16, stripHeight))
	s.scroll.Resize(fyne.NewSize(max(0, size.Width-24), max(0, size.Height-stripHeight-6)))
	kit.SetVisible(s.showIt, alone && s.problemButton() == s.showIt)
	if alone {
		if button := s.problemButton(); button != nil {
			button.Show()
			put(button)
		}
		where, what := s.where.MinSize().Height, s.what.MinSize().Height
		top := (stripHeight - where - 2 - what) / 2
		s.where.Move(fyne.NewPos(left, top))
		s.where.Resize(fyne.NewSize(max(0, end-left), where))
		s.what.Move(fyne.NewPos(left, top+where+2))
		s.what.Resize(fyne.NewSize(max(0, end-left), what))
		return
	}
	s.title.Set(s.heading(end - left))
	title := s.title.MinSize()
	s.title.Move(fyne.NewPos(left, 0))
	s.title.Resize(fyne.NewSize(title.Width, stripHeight))
	left += title.Width + 12
	hasFix := len(s.view.Problems) > 0 && s.view.Problems[0].Fix != "" && !s.all.Visible()
	fixWidth := float32(0)
	if hasFix {
		fixWidth = s.fix.MinSize().Width + 12
	}
	s.first.Set("")
	if len(s.view.Problems) > 0 && !s.unfolded {
		s.first.Set(fitting(s.view.Problems[0], end-left-fixWidth))
		if s.first.Text() == "" { // There is no room for even the name beside the button. The unfolded list has the button.
			s.first.Set(fitting(s.view.Problems[0], end-left))
			hasFix = hasFix && s.first.Text() == ""
		}
	}
	kit.SetVisible(s.fix, hasFix && !s.unfolded && left+fixWidth <= end)
	if s.fix.Visible() {
		put(s.fix)
	}
	s.first.Move(fyne.NewPos(left, 0))
	s.first.Resize(fyne.NewSize(max(0, end-left), stripHeight))
}

// alone reports whether the folded strip can show the only problem in full: its place, message and button. It is false
// if the file is broken. It also sets both texts.
func (s *strip) alone(room float32) bool {
	if len(s.view.Problems) != 1 || s.unfolded || s.view.Broken {
		return false
	}
	s.where.Set(s.view.Problems[0].Where)
	s.what.Set(s.view.Problems[0].Message)
	if button := s.problemButton(); button != nil {
		room -= button.MinSize().Width + 12
	}
	return max(s.where.Full().Width, s.what.Full().Width) <= room
}

// problemButton returns the button that repairs the first problem. If there is no repair, it returns the button that
// shows the problem, or nil.
func (s *strip) problemButton() *kit.Button {
	switch {
	case len(s.view.Problems) == 0:
	case s.view.Problems[0].Fix != "":
		return s.fix
	case s.screen.canShow(s.view.Problems[0]):
		return s.showIt
	}
	return nil
}

// heading returns the title: that the file cannot be used, if it is broken and this fits; otherwise the number of
// problems.
func (s *strip) heading(room float32) string {
	count := ProblemCount(s.view.Findings)
	if s.view.Broken {
		if told := lang.L("The configuration file has an error"); kit.NewText(told,
			kit.TextStyle{Bold: true}).Full().Width <= room {
			return told
		}
	}
	return count
}

// fitting returns the parts of a problem that fit into the given width: place and message, or only the place or its
// server, or "".
func fitting(problem Problem, room float32) string {
	for _, text := range []string{problem.Where + ": " + problem.Message, problem.Where,
		kit.Way(problem.At.Toolbox, problem.At.Server), problem.At.Server} {
		if kit.NewText(text, kit.TextStyle{}).Full().Width <= room {
			return text
		}
	}
	return ""
}

// mark sets the icon of the button that folds and unfolds the list.
func (s *strip) mark() {
	icon := base.MenuDropUpIcon()
	if s.unfolded {
		icon = base.MenuDropDownIcon()
	}
	if s.fold.Icon == nil || s.fold.Icon.Name() != icon.Name() {
		s.fold.SetIcon(icon)
	}
}
