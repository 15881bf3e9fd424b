package toolboxes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// scenes returns the states of the screen that are drawn.
func scenes() map[string]func(t *testing.T, size fyne.Size) *opened {
	select_ := func(o *opened, choice model.Choice) *opened {
		o.pick(choice, toLook)
		return o
	}
	return map[string]func(t *testing.T, size fyne.Size) *opened{
		"normal": func(t *testing.T, size fyne.Size) *opened {
			o := openIn(t, lively(false), size)
			o.tree.FocusGained()
			view := o.view
			view.AppsKnown, view.Apps = true, []model.App{{ID: "claude-desktop", Name: "Claude Desktop", Connected: true}}
			o.Apply(view)
			return select_(o, model.Choice{Toolbox: "dev"})
		},
		"shared": func(t *testing.T, size fyne.Size) *opened {
			source := lively(false)
			first := &source.Live.Engines[0]
			second := model.Engine{ID: 2, Client: "Cursor", Open: first.Open, Servers: slices.Clone(first.Servers)}
			for _, servers := range [][]status.Server{first.Servers, second.Servers} {
				servers[0].Process = status.Process{Pid: 7, Shared: true}
				servers[1].Process = status.Process{Pid: 8, Shared: true}
			}
			second.Servers[1].Process = status.Process{Pid: 9,
				Alone: words.New("pool.ended")}
			source.Live.Engines = append(source.Live.Engines, second)
			return select_(openIn(t, source, size), model.Choice{Toolbox: "dev"})
		},
		"advanced": func(t *testing.T, size fyne.Size) *opened {
			o := select_(openIn(t, lively(false), size), model.Choice{Toolbox: "dev"})
			o.page.advanced.unfold(true)
			o.page.root.ScrollToBottom()
			return o
		},
		"wrong": func(t *testing.T, size fyne.Size) *opened {
			return select_(openIn(t, lively(true), size), model.Choice{Toolbox: "research"})
		},
		"faulty": func(t *testing.T, size fyne.Size) *opened {
			return select_(openIn(t, faulty(), size), model.Choice{Toolbox: "dev"})
		},
		"python": func(t *testing.T, size fyne.Size) *opened {
			o := openIn(t, from(`{"toolboxes": {}}`), size)
			o.Apply(viewWith(lacking("python3", status.Failed, nil), nil))
			return select_(o, model.Choice{Toolbox: "dev"})
		},
		"problems": func(t *testing.T, size fyne.Size) *opened {
			source := lively(true)
			source.File.Now = parse(strings.Replace(livelyText, `"disabled"`, `"comand": "x", "disabled"`, 1))
			source.Good = source.File.Now
			o := select_(openIn(t, source, size), model.Choice{Toolbox: "research"})
			o.ShowProblems()
			return o
		},
		"home": func(t *testing.T, size fyne.Size) *opened {
			o := select_(openIn(t, lively(true), size), model.Choice{Toolbox: "home", Server: "notes"})
			o.tree.setHover(7)
			return o
		},
		"drag": func(t *testing.T, size fyne.Size) *opened {
			o := select_(openIn(t, lively(true), size), model.Choice{Toolbox: "research"})
			o.dragTo(model.Choice{Toolbox: "dev", Server: "memory"}, model.Choice{Toolbox: "research", Server: "papers"}, 0.9)
			return o
		},
		"drag-into": func(t *testing.T, size fyne.Size) *opened {
			o := select_(openIn(t, lively(true), size), model.Choice{Toolbox: "research"})
			o.dragTo(model.Choice{Toolbox: "dev", Server: "memory"}, model.Choice{Toolbox: "home", Server: ""}, 0.5)
			return o
		},
		"rename": func(t *testing.T, size fyne.Size) *opened {
			o := select_(openIn(t, lively(true), size), model.Choice{Toolbox: "research", Server: "search"})
			o.tree.rename(model.Choice{Toolbox: "research", Server: "search"}, "")
			o.tree.field.SetText("papers")
			return o
		},
		"rename-page": func(t *testing.T, size fyne.Size) *opened {
			o := select_(openIn(t, lively(true), size), model.Choice{Toolbox: "research"})
			o.page.head.rename("")
			o.page.head.name.Field.SetText("dev")
			return o
		},
		"new-toolbox": func(t *testing.T, size fyne.Size) *opened {
			o := select_(openIn(t, lively(true), size), model.Choice{Toolbox: "research"})
			o.NewToolbox()
			return o
		},
		"nothing": func(t *testing.T, size fyne.Size) *opened {
			o := openIn(t, lively(false), size)
			o.search.SetText("quantum")
			return o
		},
		"detail": func(t *testing.T, size fyne.Size) *opened {
			o := openIn(t, lively(false), size)
			o.Select(model.Choice{Toolbox: "research", Server: "search"})
			return o
		},
		"menu": func(t *testing.T, size fyne.Size) *opened {
			o := select_(openIn(t, lively(true), size), model.Choice{Toolbox: "research", Server: "papers"})
			o.tree.menuAtSelection()
			return o
		},
		"empty": func(t *testing.T, size fyne.Size) *opened { return openIn(t, from(`{"toolboxes": {}}`), size) },
		"empty-toolbox": func(t *testing.T, size fyne.Size) *opened {
			return openIn(t, from(`{"toolboxes": {"new": {"mcpServers": {}}}}`), size)
		},
		"broken": func(t *testing.T, size fyne.Size) *opened {
			return openIn(t, from(strings.Replace(livelyText, `"disabled": true`, `"disabled" true`, 1)), size)
		},
		"broken-later": func(t *testing.T, size fyne.Size) *opened {
			source := lively(false)
			source.File.Now = parse(strings.Replace(livelyText, `"disabled": true`, `"disabled" true,,`, 1))
			return openIn(t, source, size)
		},
		"refused": func(t *testing.T, size fyne.Size) *opened {
			o := openIn(t, lively(true), size)
			o.notice.show("“research” has a server called “search” already. Rename one of them first.")
			return o
		},
		"forty": func(t *testing.T, size fyne.Size) *opened {
			var b strings.Builder
			b.WriteString(`{"toolboxes": {`)
			for i := range 40 {
				fmt.Fprintf(&b, `"toolbox number %d": {"description": "Number %d of forty", "mcpServers": {"one": {"command": "x"}, "another-server-with-quite-a-long-name-%d": {"command": "y"}}},`, i, i, i)
			}
			b.WriteString(`}}`)
			return select_(openIn(t, from(b.String()), size), model.Choice{Toolbox: "toolbox number 3"})
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
					app := test.NewTempApp(t)
					app.Settings().SetTheme(look.Begin(t))
					o := scene(t, size)
					if least := o.Object().MinSize(); least.Width > size.Width || least.Height > size.Height {
						t.Errorf("the screen needs %v and has %v", least, size)
					}
					drawn.Keep(t, o.window.Canvas(), name+tag+"-"+tone)
				})
			}
		}
	}
}
