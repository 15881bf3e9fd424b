// Package frame is the window around the screens: the navigation bar, the lines above and below, the toast, and the
// dialogs that all screens use.
package frame

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// The initial size of the window, in pixels. The window works down to 800 × 560.
const (
	windowWidth  = 1100
	windowHeight = 720
)

// Program is what the window's own controls need of the app.
type Program interface {
	ShowFile()
	ShowProblems()
	Retry()        // tries again to save an edit that could not be saved
	Discard()      // discards that edit
	Resume()       // ends the pause of all servers
	CanMove() bool // reports whether the app is where it cannot stay
	Move()         // moves the app to where it can stay
}

// Window is the frame around the screens: the navigation bar at the left, the status line below, lines above if all
// servers are paused or an edit could not be saved, and room for a toast.
type Window struct {
	Window  fyne.Window
	Nav     *Nav
	Content *kit.Stage
	Toast   *Toast
	Status  *Status
	Side    fyne.CanvasObject // the navigation bar with its border line

	app     fyne.App
	tasks   *task.Tasks
	places  *Places
	program Program
	dialogs []openDialog // from the bottom to the top

	Paused      *fyne.Container // the line that says that all servers are paused
	PausedText  *kit.Lines
	Unsaved     *fyne.Container // the line that says that an edit is not saved
	UnsavedText *kit.Lines
}

// New returns a window. It is empty until Build is called.
func New(app fyne.App, tasks *task.Tasks, name string, icon fyne.Resource, places *Places, program Program) *Window {
	w := &Window{Window: app.NewWindow(name), app: app, tasks: tasks, places: places, program: program}
	places.window = w
	w.Window.SetIcon(icon)
	w.Window.SetPadded(false)
	w.Window.Resize(fyne.NewSize(windowWidth, windowHeight))
	w.Window.CenterOnScreen()
	return w
}

func (w *Window) do(f func())       { w.tasks.Do(f) }
func (w *Window) covered() bool     { return w.Window.Canvas().Overlays().Top() != nil }
func (w *Window) linksEnd() float32 { return w.Status.linksEnd() }

// Build creates everything around the screens in the current language. It shows no screen yet.
func (w *Window) Build() {
	w.Content, w.Status = kit.NewStage(), newStatus(w.program)
	w.Toast = newToast(w)
	w.Toast.least = w.Status.Root.MinSize().Height
	bar, places := w.places.Bar()
	w.Nav = newNav(bar, func(entry int) { w.places.Choose(places[entry]) })
	w.UnsavedText = kit.NewParagraph("", kit.TextStyle{Color: theme.ColorWrong})
	buttons := kit.Row(kit.Gap,
		kit.NewButton(lang.L("Try again"), widget.MediumImportance, w.program.Retry),
		kit.NewButton(lang.L("Discard"), widget.LowImportance, w.program.Discard))
	w.Unsaved = lineAbove(theme.StateWrong, w.UnsavedText, buttons)
	w.PausedText = kit.NewParagraph("", kit.TextStyle{})
	w.Paused = lineAbove(theme.StateNotice, w.PausedText,
		kit.NewButton(lang.L("Resume"), widget.HighImportance, w.program.Resume))

	above := []fyne.CanvasObject{w.Paused, w.Unsaved}
	if w.program.CanMove() {
		line := lineAbove(theme.StateNotice,
			kit.NewParagraph(lang.L("Workbench is not in the Applications folder, so AI apps and your login could not find "+
				"it later."), kit.TextStyle{}),
			kit.NewButton(lang.L("Move Workbench to Applications"), widget.HighImportance, w.program.Move))
		line.Show()
		above = append(above, line)
	}

	ground := kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground}, w.Content.Root)
	w.Side = container.New(layout.NewCustomPaddedHBoxLayout(0), w.Nav.root, widget.NewSeparator())
	root := container.NewStack(kit.Column(0,
		kit.Rest(kit.NewShared(0, 0, w.Side, kit.Column(0, append(above, kit.Rest(ground))...))), w.Status.Root),
		w.Toast.Root)
	w.Window.SetContent(root)
}

// lineAbove returns a line for the place above the screens. It has the icon of a state, a text, which wraps, and
// buttons, and is hidden at first.
func lineAbove(state theme.State, text, buttons fyne.CanvasObject) *fyne.Container {
	line := kit.Column(0, kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel},
		kit.Inset(kit.Row(kit.GapWide, kit.Sized(18, 18, widget.NewIcon(state.Icon())), kit.Rest(text), buttons), kit.Gap,
			kit.GapBlock)), widget.NewSeparator())
	line.Hide()
	return line
}

// say shows a text in a line above the screens, or hides the line.
func (w *Window) say(line *fyne.Container, words *kit.Lines, text string, shown bool) {
	if line.Visible() == shown && words.Text() == text {
		return
	}
	words.Set(text)
	kit.SetVisible(line, shown)
	w.Window.Content().Refresh()
	kit.Relayout(w.Window.Content()) // the text knows its number of lines only now
}

// show shows a screen and marks its entry in the bar. If head is not zero, the screen fills the whole window, and head
// is the height of its own head.
func (w *Window) show(entry int, screen fyne.CanvasObject, head float32) {
	w.Nav.show(entry)
	if whole := head > 0; whole == w.Side.Visible() {
		kit.SetVisible(w.Side, !whole)
		kit.SetVisible(w.Status.Root, !whole)
		w.Toast.over(head)
		w.Window.Content().Refresh()
	}
	if !w.Content.Show(screen) {
		return
	}
	// Keys must not go to widgets that are no longer visible.
	canvas := w.Window.Canvas()
	if _, bar := canvas.Focused().(*NavButton); !bar && canvas.Focused() != nil {
		canvas.Unfocus()
	}
}

// SayUnsaved shows why an edit could not be saved. An empty text hides the line.
func (w *Window) SayUnsaved(text string) {
	w.say(w.Unsaved, w.UnsavedText, text, text != "")
}

// SayPaused shows or hides the line that says that all servers are paused. but has the names of the clients whose
// engines could not be told.
func (w *Window) SayPaused(paused bool, but []string) {
	text := lang.L("Workbench is paused: AI apps can't use any server.")
	if len(but) > 0 {
		text = lang.L("Workbench is paused, but it could not reach {{.Clients}}, which may still use servers. Restart "+
			"{{.Clients}}.", map[string]any{"Clients": kit.SayList(but)})
	}
	w.say(w.Paused, w.PausedText, text, paused)
}

// Shortcut assigns an action to keys in the whole window. A focused control that uses these keys itself takes
// precedence.
func (w *Window) Shortcut(key fyne.KeyName, modifier fyne.KeyModifier, do func()) {
	w.Window.Canvas().AddShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: modifier}, func(fyne.Shortcut) { do() })
}

// Apply shows a snapshot in the status line, see [Status.Apply]. A toast gives way to what the line says now.
func (w *Window) Apply(now *model.Snapshot, path string, count int, worst theme.State) {
	w.Status.Apply(now, path, count, worst)
	w.Toast.place()
}
