package settings

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// general is the section about the app itself.
type general struct {
	*section
	screen *Screen

	login, look, language, notifications, log *row

	loginOn         *kit.Check
	theme           *kit.Choice
	languages       *kit.Select
	notificationsOn *kit.Check
	level           *kit.Select
	filling         bool // while the controls follow a View
}

// themes are the choices of the look, in the order in which they are shown.
func themes() []ThemeChoice { return []ThemeChoice{ThemeSystem, ThemeLight, ThemeDark} }

// levels are the choices of what is logged, in the order in which they are shown.
func levels() []string { return []string{"error", "warn", "info", "debug"} }

func newGeneral(screen *Screen) *general {
	g := &general{screen: screen}
	actions := screen.actions
	g.loginOn = kit.NewCheck(lang.L("On"), func(on bool) {
		g.change(g.login, func(done func(error)) { actions.SetStartAtLogin(on, done) })
	})
	g.theme = kit.NewChoice(lang.L("System"), lang.L("Light"), lang.L("Dark"))
	g.theme.OnChosen = func(index int) {
		g.change(g.look, func(done func(error)) { actions.SetTheme(themes()[index], done) })
	}
	g.languages = kit.NewSelect(nil, nil)
	g.languages.OnChanged = func(string) {
		g.change(g.language, func(done func(error)) { actions.SetLanguage(g.code(), done) })
	}
	g.notificationsOn = kit.NewCheck(lang.L("On"), func(on bool) {
		g.change(g.notifications, func(done func(error)) { actions.SetNotifications(on, done) })
	})
	g.level = kit.NewSelect([]string{lang.L("Only errors"), lang.L("Errors and warnings"), lang.L("What happens"), lang.L("Everything, for reports")}, nil)
	g.level.OnChanged = func(string) {
		if index := g.level.SelectedIndex(); index >= 0 {
			g.change(g.log, func(done func(error)) { actions.SetLogLevel(levels()[index], done) })
		}
	}

	g.login = newRow(lang.L("Start at login"), lang.L("Workbench then waits in the tray. AI apps can use your servers without it."), flush(g.loginOn))
	g.look = newRow(lang.L("Theme"), "", kit.NewFullChoice(g.theme))
	g.language = newRow(lang.L("Language"), lang.L("Of the window and the tray. Commands follow the terminal."), boxed(g.languages))
	g.notifications = newRow(lang.L("Notifications"), lang.L("When a server in use stops working, when it works again, and when the configuration has an error."), flush(g.notificationsOn))
	g.log = newRow(lang.L("Log"), lang.L("How much Workbench writes into its own log."), boxed(g.level))
	rows := []fyne.CanvasObject{g.login.root, g.look.root, g.language.root, g.notifications.root, g.log.root}
	if actions.FirstSteps != nil {
		steps := screen.button(lang.L("Show the first steps"), widget.MediumImportance, actions.FirstSteps)
		rows = append(rows, newRow(lang.L("First steps"), lang.L("Bring in servers and connect AI apps, one step after the other."), steps).root)
	}
	g.section = newSection(lang.L("General"), card(rows...))
	return g
}

// FocusLanguage puts the keyboard where the language is chosen.
func (s *Screen) FocusLanguage(canvas fyne.Canvas) { canvas.Focus(s.general.languages) }

// revealer scrolls a control into sight when it gets the keyboard.
// boxed puts a frame over a list to choose from, which has none of its own and would cover one, and gives it room for its longest choice.
func boxed(list *kit.Select) fyne.CanvasObject {
	return container.New(fixedSize{fyne.NewSize(232, 36)}, container.NewStack(list, kit.NewBox(kit.BoxStyle{Line: base.ColorNameInputBorder, Radius: theme.SizeFieldRadius}, nil)))
}

// change hands a change out, unless it only follows a View. What goes wrong is said, and the control goes back to what is so.
func (g *general) change(r *row, act func(done func(error))) {
	if g.filling {
		return
	}
	before := r.said()
	r.say(r.note.Text(), nil)
	act(func(err error) {
		r.say(r.note.Text(), err)
		g.show()
		if r.said() != before { // else all is as high as it was: nothing has to be measured, which takes long right after another theme
			g.screen.page.Arrange()
		}
	})
}

// code is the chosen language, empty for that of the system.
func (g *general) code() string {
	if index := g.languages.SelectedIndex() - 1; index >= 0 && index < len(g.screen.view.Languages) {
		return g.screen.view.Languages[index].Tag
	}
	return ""
}

// show makes the controls follow the View.
func (g *general) show() {
	g.filling = true
	defer func() { g.filling = false }()
	view := g.screen.view
	g.loginOn.Follow(view.Autostart.On)
	enable(g.loginOn, !view.Autostart.Fixed)
	g.login.note.Set(view.Autostart.Note)
	g.theme.Follow(max(0, slices.Index(themes(), view.Preferences.Theme)))
	names := []string{lang.L("System language")}
	chosen := 0
	for i, language := range view.Languages {
		names = append(names, language.Name)
		if language.Tag == view.Preferences.Language {
			chosen = i + 1
		}
	}
	if !slices.Equal(names, g.languages.Options) {
		g.languages.SetOptions(names)
	}
	follow(g.languages, chosen)
	g.notificationsOn.Follow(view.Preferences.Notifications)
	follow(g.level, max(0, slices.Index(levels(), view.Preferences.LogLevel)))
}

// follow selects without telling OnChanged, as long as that asks whether it is being filled.
func follow(list *kit.Select, index int) {
	if list.SelectedIndex() != index {
		list.SetSelectedIndex(index)
	}
}

// disableable is a control that can be switched off.
type disableable interface {
	Enable()
	Disable()
	Disabled() bool
}

func enable(control disableable, enabled bool) {
	switch {
	case enabled && control.Disabled():
		control.Enable()
	case !enabled && !control.Disabled():
		control.Disable()
	}
}
