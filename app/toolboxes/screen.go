package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Screen draws a View. All of its methods belong to the goroutine of the window.
type Screen struct {
	actions Actions
	view    View
	before  View // the one before it
	rows    []Row
	folded  map[string]bool // by the name of the toolbox
	choice  Choice
	filling bool // while the list's selection follows ours, not the user

	root     *fyne.Container
	split    *kit.Split
	search   *widget.Entry
	list     *list
	nothing  *kit.Text // found
	pane     *pane
	problems *fyne.Container
	instead  *fyne.Container // of the split: when there are no toolboxes
}

// leadWidth is the width of the list at first, in pixels.
const leadWidth = 288

// New makes the screen. It shows nothing until Apply.
func New(actions Actions) *Screen {
	s := &Screen{actions: actions, folded: map[string]bool{}}
	s.search = widget.NewEntry()
	s.search.SetPlaceHolder(lang.L("Search toolboxes and servers"))
	s.search.Icon = base.SearchIcon()
	s.search.OnChanged = func(string) { s.fill() }

	s.list = newList(func() int { return len(s.rows) }, s.fillRow)
	s.list.OnSelected = s.selected
	s.list.onKey = s.foldKey
	s.nothing = kit.NewText(lang.L("Nothing matches"), kit.TextStyle{Color: theme.ColorMuted, Align: fyne.TextAlignCenter})

	search := kit.Inset(s.search, 12, 12)
	// The order is that of the Tab key: a border made in the usual way would have the list before the search.
	lead := container.New(layout.NewBorderLayout(search, nil, nil, nil), search,
		kit.Inset(container.NewStack(s.list, container.NewVBox(kit.NewGap(0, 24), s.nothing)), 0, 8))
	s.pane = newPane(actions)
	s.problems = container.NewStack()
	trail := container.NewBorder(nil, s.problems, nil, nil, s.pane.root)

	s.split = kit.NewSplit(kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel}, lead), trail, leadWidth)
	s.instead = container.NewStack()
	s.root = container.NewStack(s.split, s.instead)
	return s
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// FocusSearch puts the cursor into the search field, when it can be seen.
func (s *Screen) FocusSearch(canvas fyne.Canvas) {
	if s.split.Visible() {
		canvas.Focus(s.search)
	}
}

// Apply shows another View. What was selected, folded and searched stays so.
func (s *Screen) Apply(view View) {
	s.before, s.view = s.view, view
	s.instead.RemoveAll()
	s.problems.RemoveAll()
	switch {
	case len(view.Toolboxes) > 0:
		if len(view.Problems) > 0 {
			s.problems.Add(newProblems(view, s.actions))
		}
	case view.Broken:
		s.instead.Add(newBroken(view, s.actions))
	default:
		s.instead.Add(newEmpty(view, s.actions))
	}
	setVisible(s.split, len(view.Toolboxes) > 0)
	setVisible(s.instead, len(view.Toolboxes) == 0)
	s.fill()
	s.root.Refresh()
}

// fill shows the rows that the search leaves, with the selection where it was.
func (s *Screen) fill() {
	s.rows = s.view.Rows(s.search.Text, s.folded)
	setVisible(s.nothing, len(s.rows) == 0)
	s.choice, _ = follow(s.before, s.view, s.choice)
	toolbox, server, ok := s.view.find(s.choice)
	if !ok {
		s.list.Refresh()
		return
	}
	s.choice = s.view.at(Row{Toolbox: toolbox, Server: server})
	s.filling = true
	s.list.UnselectAll()
	for i, row := range s.rows {
		if row.Toolbox == toolbox && row.Server == server {
			s.list.Select(i)
		}
	}
	s.filling = false
	s.list.Refresh()
	s.pane.show(s.view.Toolboxes[toolbox], s.choice.Server)
}

// fillRow draws one row of the list.
func (s *Screen) fillRow(id int, object *row) {
	if id >= len(s.rows) {
		return // the list may still ask for a row of before
	}
	line := s.rows[id]
	toolbox := s.view.Toolboxes[line.Toolbox]
	if line.Server == noServer {
		object.showToolbox(toolbox, line.Folded, func() { s.fold(toolbox.Name, !line.Folded) })
		return
	}
	object.showServer(toolbox.Servers[line.Server])
}

// selected follows a click in the list, or the space bar.
func (s *Screen) selected(id int) {
	if s.filling || id >= len(s.rows) {
		return
	}
	s.choice = s.view.at(s.rows[id])
	s.pane.show(s.view.Toolboxes[s.rows[id].Toolbox], s.choice.Server)
}

// fold hides the servers of a toolbox in the list, or shows them.
func (s *Screen) fold(toolbox string, folded bool) {
	if folded {
		s.folded[toolbox] = true
		if s.choice.Toolbox == toolbox {
			s.choice.Server = ""
		}
	} else {
		delete(s.folded, toolbox)
	}
	s.fill()
}

// foldKey folds the selected toolbox with the left arrow and unfolds it with the right one.
func (s *Screen) foldKey(key fyne.KeyName) bool {
	if key != fyne.KeyLeft && key != fyne.KeyRight {
		return false
	}
	if s.choice.Toolbox != "" {
		s.fold(s.choice.Toolbox, key == fyne.KeyLeft)
	}
	return true
}

// Select shows a toolbox, or a server of it. The search gives way to it.
func (s *Screen) Select(choice Choice) {
	s.choice = choice
	if choice.Server != "" {
		delete(s.folded, choice.Toolbox)
	}
	if s.search.Text != "" {
		s.search.SetText("") // fills
		return
	}
	s.fill()
}
