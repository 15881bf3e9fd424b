package activity

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words/wordstest"
)

// scenes returns the states of the screen that are drawn.
func scenes() map[string]func(t *testing.T, size fyne.Size) *opened {
	with := func(change func(*View)) View {
		view := sample()
		change(&view)
		return view
	}
	return map[string]func(t *testing.T, size fyne.Size) *opened{
		"empty": func(t *testing.T, size fyne.Size) *opened { return open(t, View{Now: noon()}, size) },
		"no-calls": func(t *testing.T, size fyne.Size) *opened {
			return open(t, with(func(v *View) { v.Calls = nil }), size)
		},
		"running": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, sample(), size)
			o.table.body.setHover(3)
			return o
		},
		"full": func(t *testing.T, size fyne.Size) *opened {
			return open(t, with(func(v *View) {
				v.Calls, v.Dropped, v.Engines = append(many(1990), v.Calls...), 12, v.Engines[:1]
			}), size)
		},
		"details": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, sample(), size)
			o.table.body.FocusGained()
			o.table.body.choose(7)
			return o
		},
		"details-running": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, sample(), size)
			o.table.body.choose(1)
			return o
		},
		"paused": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, with(func(v *View) { v.Calls = v.Calls[:9] }), size)
			o.setPaused(true)
			o.Apply(sample())
			return o
		},
		"filtered": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, sample(), size)
			o.bar.outcome.Follow(onlyProblems)
			o.bar.outcome.OnChosen(onlyProblems)
			return o
		},
		"nothing": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, sample(), size)
			o.bar.search.SetText("quantum")
			return o
		},
		"missed": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, with(func(v *View) {
				v.Calls[11].MissedAfter, v.Calls[10].Missed, v.Calls[9].MissedAfter = 1169, 1, 12
			}), size)
			o.window.Canvas().Focus(o.table.body)
			o.table.body.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
			return o
		},
		"engines": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, with(func(v *View) {
				v.Engines[0].Open = []string{"dev", "a toolbox with a rather long name of its own", "home", "more"}
				v.Engines[2].Elsewhere, v.Engines[2].Config = true, "/home/me/projects/something/workbench-config.json"
				v.Engines = append(v.Engines, v.Engines[0])
				v.Engines[3].ID, v.Engines[3].Client, v.Engines[3].Own, v.Engines[3].Open = 10, "Workbench", true,
					[]string{"research"}
			}), size)
			o.engines.close(7, "dev")
			o.engines.close(10, "research")
			o.ends[1](errors.New("the engine does not answer"))
			return o
		},
		"trouble": func(t *testing.T, size fyne.Size) *opened {
			return open(t, with(func(v *View) {
				v.Engines[0].Trouble, v.Engines[1].Trouble = model.OtherVersion, model.Silent
			}), size)
		},
		"odd": func(t *testing.T, size fyne.Size) *opened {
			long := strings.Repeat("long ", 200)
			return open(t, with(func(v *View) {
				for i := range v.Calls {
					v.Calls[i].Toolbox, v.Calls[i].Server, v.Calls[i].Tool, v.Calls[i].Client = long, long, long+"\u202e", long
					v.Calls[i].Outcome = status.Outcome("new")
				}
				v.Engines[0].Client, v.Engines[0].Open = long, []string{long}
			}), size)
		},
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
					drawn.Keep(t, o.window.Canvas(), "activity-"+name+tag+"-"+tone)
				})
			}
		}
	}
}

// TestScenesAreTranslated looks for English words in every scene, in a language that has none.
func TestScenesAreTranslated(t *testing.T) {
	newApp(t)
	voice := locale.Install()
	t.Cleanup(func() { voice.Speak("en") })
	data := []string{"Workbench", "VS Code", "long", "quantum", "a toolbox with a rather long name of its own",
		"/home/me/projects/something", "the engine does not answer",
		// what a server and an app have sent
		"Access denied - path outside allowed directories: /etc/hosts not in /home/me/projects", "/etc/hosts",
		"127.0.0.1 example.com",
		`"id"`, `"format"`, `"pdf`, `"path"`, `"content"`, `"options"`, `"token"`, `"overwrite"`, "true", `"tags"`, `"one"`,
		`"two"`}
	for _, call := range sampleCalls() {
		data = append(data, call.Client, call.Toolbox, call.Server, call.Tool)
	}
	for name, scene := range scenes() {
		t.Run(name, func(t *testing.T) {
			voice.Alter(wordstest.Alter)
			wordstest.CheckNoEnglish(t, scene(t, normal).texts(), data...)
		})
	}
}
