package settings

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// scenes returns the states of the screen that are drawn.
func scenes() map[string]func(t *testing.T, size fyne.Size) *opened {
	scene := func(change func(*View), then func(*opened)) func(t *testing.T, size fyne.Size) *opened {
		return func(t *testing.T, size fyne.Size) *opened {
			view := sample()
			if change != nil {
				change(&view)
			}
			o := open(t, view, size)
			if then != nil {
				then(o)
			}
			return o
		}
	}
	at := func(section Section) func(*opened) { return func(o *opened) { o.Show(section) } }
	doctored := func(v *View) { v.Doctor = checked() }
	return map[string]func(t *testing.T, size fyne.Size) *opened{
		"top":      scene(nil, nil),
		"advanced": scene(nil, at(SectionAdvanced)),
		"secrets":  scene(nil, at(SectionSecrets)),
		"about":    scene(nil, at(SectionAbout)),
		"odd": scene(func(v *View) {
			v.Login = model.Login{Note: "Another program has put io.github.workbench_mcp.WorkbenchDesktop.desktop there, so " +
				"it is left alone."}
			v.ToolMode = ToolMode{Mode: config.ModeProxy, Forced: config.ModeDynamic}
		}, func(o *opened) {
			o.Show(SectionAdvanced)
			o.window.Canvas().Focus(o.mode.options[1])
			o.theme().OnChosen(2)
			o.end(errors.New("saving the preferences in /home/me/.config/workbench/preferences.json: no space left on device"))
			o.Apply(o.view)
		}),
		"no-secrets": scene(func(v *View) { v.Secrets = nil }, at(SectionSecrets)),
		"set-secret": scene(nil, func(o *opened) {
			o.Show(SectionSecrets)
			o.secrets.rows["tavily-api-key"].edit(true)
			o.secrets.rows["github"].ask(true)
			o.secrets.rows["tavily-api-key"].problem.Set("The keychain does not take the secret: it is locked.")
			o.page.Arrange()
			o.Show(SectionSecrets)
		}),
		"newer": scene(func(v *View) {
			v.Updates = model.Updates{Allowed: true, Version: "1.1.0", Page: "https://example.com/1.1.0",
				How: "Update it with: sudo apt update && sudo apt install --only-upgrade workbench-desktop"}
		}, at(SectionAbout)),
		"doctor-before":  scene(nil, at(SectionDoctor)),
		"doctor-running": scene(func(v *View) { v.Doctor = halfway() }, at(SectionDoctor)),
		"doctor":         scene(doctored, at(SectionDoctor)),
		"doctor-end":     scene(doctored, at(SectionAbout)),
		"long": scene(func(v *View) {
			long := strings.Repeat("long ", 200)
			v.Secrets[0].Name, v.Secrets[0].UsedBy = long, []string{long}
			v.Login.Note, v.About.Version, v.About.Folders[0].Path = long, long, "/"+long
			v.Doctor = checked()
			check := &v.Doctor.Checks[1]
			check.Title, check.Detail, check.Advice = words.Foreign(long), []words.Text{words.Foreign(long)},
				words.Foreign(long)
		}, at(SectionSecrets)),
	}
}

// TestScenes draws every state of the screen in both sizes and checks that none needs more room than there is. If
// WORKBENCH_PICTURES names a folder, it saves light and dark pictures of them there.
func TestScenes(t *testing.T) {
	for name, scene := range scenes() {
		for tag, size := range map[string]fyne.Size{"": normal, "-small": small} {
			for tone, look := range drawn.Looks(size) {
				t.Run(name+tag+"-"+tone, func(t *testing.T) {
					test.NewTempApp(t).Settings().SetTheme(look.Begin(t))
					o := scene(t, size)
					if least := o.Object().MinSize(); least.Width > size.Width || least.Height > size.Height {
						t.Errorf("the screen needs %v and has %v", least, size)
					}
					drawn.Keep(t, o.window.Canvas(), "settings-"+name+tag+"-"+tone)
				})
			}
		}
	}
}
