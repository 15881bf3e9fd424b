package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/welcome"
)

// The size of the window at first, in pixels. It works down to 800 × 560.
const (
	windowWidth  = 1100
	windowHeight = 720
)

// windowActions are what the window's own controls do.
type windowActions struct {
	choose       func(place)
	openFile     func()
	showProblems func()
	retry        func() // to save what could not be saved
	discard      func() // what could not be saved
	resume       func() // after a pause
}

// window is the frame around the screens: the bar at the left, the status line below, lines above when all is paused or
// something could not be saved, and room for a toast.
type window struct {
	window  fyne.Window
	nav     *nav
	content *kit.Stage
	toast   *toast
	status  *statusLine
	side    fyne.CanvasObject // the bar, with its line
	looks   *kit.Restyler
	actions windowActions
	do      func(func())

	paused      *fyne.Container // lines above: that all is paused
	pausedText  *kit.Text
	unsaved     *fyne.Container // and that something is not saved
	unsavedText *kit.Text
}

func newWindow(app fyne.App, actions windowActions, do func(func())) *window {
	w := &window{window: app.NewWindow(Name), actions: actions, do: do}
	w.window.SetIcon(Icon())
	w.window.SetPadded(false)
	w.build()
	w.window.Resize(fyne.NewSize(windowWidth, windowHeight))
	w.window.CenterOnScreen()
	return w
}

// build makes all that is around the screens, in the language of now. It shows no screen yet.
func (w *window) build() {
	w.content, w.toast, w.status = kit.NewStage(), newToast(w.do), newStatusLine(w.actions)
	w.nav = newNav(
		[places]fyne.Resource{base.FolderIcon(), base.ComputerIcon(), base.HistoryIcon(), base.SettingsIcon()},
		[places]string{lang.L("Toolboxes"), lang.L("AI apps"), lang.L("Activity"), lang.L("Settings")},
		w.actions.choose,
	)
	w.unsavedText = kit.NewText("", kit.TextStyle{Color: theme.ColorWrong, Shrinks: true})
	buttons := kit.Row(8,
		kit.NewButton(lang.L("Try again"), widget.MediumImportance, w.actions.retry),
		kit.NewButton(lang.L("Discard"), widget.LowImportance, w.actions.discard))
	w.unsaved = lineAbove(theme.StateWrong, w.unsavedText, buttons)
	w.pausedText = kit.NewText("", kit.TextStyle{Shrinks: true})
	w.paused = lineAbove(theme.StateNotice, w.pausedText,
		kit.NewButton(lang.L("Resume"), widget.HighImportance, w.actions.resume))

	ground := kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground}, container.NewStack(w.content.Root, w.toast.root))
	w.side = container.New(layout.NewCustomPaddedHBoxLayout(0), w.nav.root, kit.NewLine())
	root := container.NewStack(kit.Column(0, kit.Rest(container.New(frameLayout{}, w.side, kit.Column(0, w.paused, w.unsaved), ground)), w.status.root))
	w.looks = kit.NewRestyler(root, w.do)
	w.window.SetContent(root)
}

// lineAbove gives a hidden line above the screens: what is the matter, and what can be done.
func lineAbove(state theme.State, text, buttons fyne.CanvasObject) *fyne.Container {
	mark := kit.Row(10, container.NewGridWrap(fyne.NewSquareSize(18), widget.NewIcon(state.Icon())), kit.NewGap(1, 1))
	line := kit.Column(0, kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel},
		kit.Inset(container.NewBorder(nil, nil, mark, buttons, middle(text)), 6, 16)), kit.NewLine())
	line.Hide()
	return line
}

// frameLayout puts the bar at the left, the line above the rest, and the rest into what is left, with nothing between them.
type frameLayout struct{}

func (frameLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	side, above, rest := fyne.Size{}, fyne.Size{}, objects[2].MinSize()
	if objects[0].Visible() {
		side = objects[0].MinSize()
	}
	if objects[1].Visible() {
		above = objects[1].MinSize()
	}
	return fyne.NewSize(side.Width+max(above.Width, rest.Width), max(side.Height, above.Height+rest.Height))
}

func (frameLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	side, above, rest := objects[0], objects[1], objects[2]
	left, top := float32(0), float32(0)
	if side.Visible() {
		left = side.MinSize().Width
		side.Resize(fyne.NewSize(left, size.Height))
	}
	above.Move(fyne.NewPos(left, 0))
	if above.Visible() {
		top = above.MinSize().Height
		above.Resize(fyne.NewSize(size.Width-left, top))
	}
	rest.Move(fyne.NewPos(left, top))
	rest.Resize(fyne.NewSize(size.Width-left, size.Height-top))
}

// middle puts a line of text into the middle of the height.
func middle(text fyne.CanvasObject) fyne.CanvasObject {
	return container.NewVBox(layout.NewSpacer(), text, layout.NewSpacer())
}

// show puts a screen into the window. The first steps have all of it.
func (w *window) show(at place, screen fyne.CanvasObject) {
	w.nav.show(at)
	if whole := at == placeWelcome; whole == w.side.Visible() {
		kit.SetVisible(w.side, !whole)
		kit.SetVisible(w.status.root, !whole)
		lift := float32(0)
		if whole {
			lift = welcome.FootHeight
		}
		w.toast.raise(lift)
		w.window.Content().Refresh()
	}
	if !w.content.Show(screen) {
		return
	}
	w.looks.Shown()
	// Keys must not reach what can no longer be seen.
	canvas := w.window.Canvas()
	if _, bar := canvas.Focused().(*navButton); !bar && canvas.Focused() != nil {
		canvas.Unfocus()
	}
}

// sayUnsaved tells why an edit could not be saved; an empty text takes the line away.
func (w *window) sayUnsaved(text string) {
	w.unsavedText.Set(text)
	if w.unsaved.Visible() != (text != "") {
		kit.SetVisible(w.unsaved, text != "")
		w.window.Content().Refresh()
	}
}

// sayPaused tells that all is paused, but for the clients whose engines could not be told, or takes that away.
func (w *window) sayPaused(paused bool, but []string) {
	text := lang.L("Workbench is paused: AI apps can't use any server.")
	if len(but) > 0 {
		text = lang.L("Workbench is paused, but {{.Clients}} could not be told and may go on. Restart it.", map[string]any{"Clients": kit.SayList(but)})
	}
	w.pausedText.Set(text)
	if w.paused.Visible() != paused {
		kit.SetVisible(w.paused, paused)
		w.window.Content().Refresh()
	}
}

// shortcut has keys do something wherever the keyboard is, unless what has it needs them itself.
func (w *window) shortcut(key fyne.KeyName, modifier fyne.KeyModifier, do func()) {
	w.window.Canvas().AddShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: modifier}, func(fyne.Shortcut) { do() })
}

// followThemes has the window brought another theme by us, not by Fyne. Fyne listens to changes of the theme from when the app starts
// on: who listens before is told first, and who listens after is told last.
func (w *window) followThemes(app fyne.App) {
	started := false
	app.Settings().AddListener(func(fyne.Settings) {
		if started {
			w.looks.Before()
		}
	})
	app.Lifecycle().SetOnStarted(func() {
		started = true
		app.Settings().AddListener(func(fyne.Settings) { w.looks.After() })
	})
}
