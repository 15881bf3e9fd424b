package clients

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestScenes draws every scene in both sizes. None may need more room than there is. If WORKBENCH_PICTURES is set to a
// folder, the pictures are saved there, light and dark.
func TestScenes(t *testing.T) {
	scenes := map[string]func(t *testing.T, size fyne.Size) *opened{
		"cards": func(t *testing.T, size fyne.Size) *opened { return open(t, NewView(facts()), size) },
		"lost": func(t *testing.T, size fyne.Size) *opened {
			lost := facts()
			lost.Note = "Which AI apps have started Workbench cannot be read."
			lost.Statuses = []engine.Status{
				asking("claude-desktop", ""), asking("cursor", ""), asking("zed", strings.Repeat("It is long. ", 20)),
				client("codex", engine.Lost, noon), client("vscode", engine.Connected, noon),
			}
			return open(t, NewView(lost), size)
		},
		"repair": func(t *testing.T, size fyne.Size) *opened {
			lost := facts()
			lost.Statuses = []engine.Status{client("claude-desktop", engine.Lost, noon),
				client("cursor", engine.Outdated, noon), client("windsurf", engine.Broken, noon)}
			lost.Sources, lost.Uses = []string{"claude-desktop", "cursor", "windsurf"},
				map[string]Use{"Claude Desktop": {Last: noon.Add(-48 * time.Hour)}, "Cursor": {Here: true}}
			return open(t, NewView(lost), size)
		},
		"empty": func(t *testing.T, size fyne.Size) *opened {
			none := facts()
			none.Sources, none.Uses = nil, nil
			for i := range none.Statuses {
				none.Statuses[i].Installed, none.Statuses[i].State = false, engine.NotConnected
			}
			return open(t, NewView(none), size)
		},
		"problem": func(t *testing.T, size fyne.Size) *opened {
			broken := facts()
			broken.Problem = "AI apps cannot be connected now: this program runs from a folder that will not be there any " +
				"more when they start it."
			broken.Statuses[2].Client.Name = strings.Repeat("long ", 60)
			return open(t, NewView(broken), size)
		},
		"disconnect": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, NewView(facts()), size)
			o.disconnect(Card{ID: "cursor", Name: "Cursor"})
			o.planned(Proposal{Plan: planOf(t, "cursor", true).Plan,
				Moved: movedOf("memory", "filesystem", "clio", "a-server-with-a-very-long-name-indeed",
					"another-server-with-a-long-name")}, nil)
			return o
		},
		"connect": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, NewView(facts()), size)
			o.connect(Card{ID: "cursor", Name: "Cursor"})
			o.planned(planOf(t, "cursor", false), nil)
			return o
		},
		"running": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, NewView(facts()), size)
			o.connect(Card{ID: "claude-desktop", Name: "Claude Desktop"})
			o.planned(planOf(t, "claude-desktop", true), nil)
			return o
		},
		"connected": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, NewView(facts()), size)
			o.connect(Card{ID: "cursor", Name: "Cursor"})
			o.planned(planOf(t, "cursor", false), nil)
			o.tap(t, "Connect")
			o.carried(nil)
			return o
		},
		"waiting": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, NewView(facts()), size)
			o.connect(Card{ID: "cursor", Name: "Cursor"})
			o.planned(planOf(t, "cursor", true), nil)
			o.tap(t, "Connect")
			return o
		},
		"refused": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, NewView(facts()), size)
			o.connect(Card{ID: "cursor", Name: "Cursor"})
			o.planned(Proposal{}, errors.New(
				"/home/ada/.cursor/mcp.json: line 3, column 7: a comma is missing. Correct it, then try again"))
			return o
		},
		"paste": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, NewView(facts()), size)
			o.connect(Card{ID: "claude-code", Name: "Claude Code"})
			o.planned(planOf(t, "claude-code", false), nil)
			return o
		},
		"bring": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, NewView(facts()), size)
			o.bringIn("cursor", "Cursor")
			o.looked(offered(t), nil)
			return o
		},
		"move": func(t *testing.T, size fyne.Size) *opened {
			o, _ := openMove(t, size)
			return o
		},
		"moved": func(t *testing.T, size fyne.Size) *opened {
			o, done := openMove(t, size)
			o.tap(t, lang.N("Move {{.Count}} servers", 3, map[string]any{"Count": 3}))
			(*done)(Moved{Moved: setup.Moved{
				Files: []setup.MovedFile{{File: "/home/ada/.cursor/mcp.json", Names: []string{"github", "search"},
					Backup: "/home/ada/.local/state/workbench/clients/moved-cursor-1.backup"}},
				Stay: []imports.Skipped{{Origin: imports.Origin{Name: "notes"},
					Reason: words.Foreign("It has changed meanwhile.")}},
				Commands: []string{"claude mcp remove -s user one"},
				Failed:   []error{errors.New("another file was left alone")},
			}}, nil)
			return o
		},
		"disconnect-back": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, NewView(facts()), size)
			o.disconnect(Card{ID: "cursor", Name: "Cursor"})
			o.planned(backOf(t), nil)
			return o
		},
		"http": func(t *testing.T, size fyne.Size) *opened {
			short := servedFacts() // so that it is in the picture
			short.Statuses, short.Sources = short.Statuses[:1], nil
			return open(t, NewView(short), size)
		},
		"http-alone": func(t *testing.T, size fyne.Size) *opened {
			alone := servedFacts()
			alone.Statuses, alone.Sources, alone.HTTP.On, alone.HTTP.Address = nil, nil, false, ""
			alone.HTTP.Problem = "Listening at 127.0.0.1:7400 is not possible: address already in use."
			return open(t, NewView(alone), size)
		},
		"http-name": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, NewView(servedFacts()), size)
			o.newToken()
			o.tap(t, "Continue")
			o.made("", errors.New("\"\" cannot be the name of an app"))
			return o
		},
		"http-token": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, NewView(servedFacts()), size)
			o.newToken()
			o.tap(t, "Continue")
			o.made("workbench_0bD4uWq3Z8mYxkJp7sVtR2nLcA9fHgE5iKo1QwMzXyU", nil)
			return o
		},
		"http-remove": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, NewView(servedFacts()), size)
			test.Tap(o.buttons["http:n8n connect"])
			return o
		},
		"bundle": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, NewView(facts()), size)
			o.makeBundle()
			return o
		},
		"bundled": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, NewView(facts()), size)
			o.makeBundle()
			o.tap(t, "Make the bundle")
			o.bundled("/home/ada/Downloads/workbench.mcpb", nil)
			return o
		},
	}
	for name, scene := range scenes {
		for tag, size := range map[string]fyne.Size{"": normal, "-small": small} {
			for tone, look := range drawn.Looks(size) {
				t.Run(name+tag+"-"+tone, func(t *testing.T) {
					test.NewTempApp(t).Settings().SetTheme(look.Begin(t))
					o := scene(t, size)
					if least := o.Object().MinSize(); least.Width > size.Width || least.Height > size.Height {
						t.Errorf("the screen needs %v and has %v", least, size)
					}
					if o.dialog != nil {
						const bar = 96 // the bar of the window, which the dialog covers too
						if least := o.dialog.MinSize(); least.Width > bar+size.Width-2*kit.SheetMargin ||
							least.Height > size.Height-2*kit.SheetMargin {
							t.Errorf("the dialog needs %v and has %v", least, size)
						}
					}
					drawn.Keep(t, o.window.Canvas(), name+tag+"-"+tone)
				})
			}
		}
	}
}

// openMove opens the dialog that moves the servers of an app that is running. The function that it returns ends the
// move.
func openMove(t *testing.T, size fyne.Size) (*opened, *func(Moved, error)) {
	o := open(t, NewView(facts()), size)
	o.bringIn("cursor", "Cursor")
	done := new(func(Moved, error))
	offer := offered(t)
	offer.Running, offer.Movable = true, true
	o.fake.move = func(_ context.Context, _ imports.Plan, _, _ bool, end func(Moved, error)) { *done = end }
	o.looked(offer, nil)
	o.choose(t, 1)
	return o, done
}
