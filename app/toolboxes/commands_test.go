package toolboxes

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

func TestCommands(t *testing.T) {
	const before = "a: x y; b: x; c:"
	view := plain(before)
	ops := func(ops []edit.Op, _ model.Choice) []edit.Op { return ops }
	moved := func(ops []edit.Op, _ model.Choice, refused string) []edit.Op {
		if refused != "" {
			t.Errorf("refused: %s", refused)
		}
		return ops
	}
	removed := func(ops []edit.Op, _ string) []edit.Op { return ops }
	for want, got := range map[string][]edit.Op{
		"n: x y; b: x; c:":           ops(view.Rename(model.Choice{Toolbox: "a", Server: ""}, "n")),
		"a: n y; b: x; c:":           ops(view.Rename(model.Choice{Toolbox: "a", Server: "x"}, "n")),
		"a: x y; a-2: x y; b: x; c:": ops(view.Duplicate(model.Choice{Toolbox: "a", Server: ""})),
		"a: x x-2 y; b: x; c:":       ops(view.Duplicate(model.Choice{Toolbox: "a", Server: "x"})),
		"b: x; c:":                   removed(view.Remove(model.Choice{Toolbox: "a", Server: ""})),
		"a: y; b: x; c:":             removed(view.Remove(model.Choice{Toolbox: "a", Server: "x"})),
		"b: x; a: x y; c:":           view.Shift(model.Choice{Toolbox: "a", Server: ""}, 1),
		"a: x y; c:; b: x":           view.Shift(model.Choice{Toolbox: "c", Server: ""}, -1),
		"a: y x; b: x; c:":           view.Shift(model.Choice{Toolbox: "a", Server: "x"}, 1),
		"a: x; b: x y; c:": moved(
			view.Drop(model.Choice{Toolbox: "a", Server: "y"}, Landing{To: model.Choice{Toolbox: "b"}}, false)),
		"a: x y; b: x y; c:": moved(
			view.Drop(model.Choice{Toolbox: "a", Server: "y"}, Landing{To: model.Choice{Toolbox: "b"}}, true)),
		"a: x y; b: x x-2; c:": moved(
			view.Drop(model.Choice{Toolbox: "a", Server: "x"}, Landing{To: model.Choice{Toolbox: "b"}}, true)),
		"a: x y x-2; b: x; c:": moved(
			view.Drop(model.Choice{Toolbox: "a", Server: "x"}, Landing{To: model.Choice{Toolbox: "a"}}, true)),
		"a: x y; b: x; c: x": moved(
			view.Drop(model.Choice{Toolbox: "a", Server: "x"}, Landing{To: model.Choice{Toolbox: "c"}}, true)),
		"a: y; b: x; c: x": moved(
			view.Drop(model.Choice{Toolbox: "a", Server: "x"}, Landing{To: model.Choice{Toolbox: "c"}}, false)),
	} {
		if got := after(t, view, got); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, ops := range [][]edit.Op{
		view.Shift(model.Choice{Toolbox: "a", Server: ""}, -1), view.Shift(model.Choice{Toolbox: "c", Server: ""}, 1),
		view.Shift(model.Choice{Toolbox: "a", Server: "x"}, -1), view.Shift(model.Choice{Toolbox: "a", Server: "y"}, 1),
		view.Shift(model.Choice{Toolbox: "gone", Server: ""}, 1),
		ops(view.Rename(model.Choice{Toolbox: "a", Server: ""}, "a")), view.Describe("a", ""), view.Describe("gone", "x"),
	} {
		if len(ops) > 0 {
			t.Errorf("the command has operations: %v", ops)
		}
	}
	if _, _, refused := view.Drop(model.Choice{Toolbox: "a", Server: "x"}, Landing{To: model.Choice{Toolbox: "b"}},
		false); refused == "" {
		t.Error("a server can be moved to a toolbox that has one of the same name")
	}
}

func TestAskFirst(t *testing.T) {
	o := open(t, from(`{"toolboxes": {"a": {"mcpServers": {"x": {"command": "x"}}}}}`), normal)
	edits := &edits{program: program{o}}
	o.Screen.program = edits
	for _, want := range []edit.Op{
		edit.SetField{Target: edit.Target{Toolbox: "a"}, Field: []string{"askFirst"}, Value: jsonc.Value(true)},
		edit.ClearField{Target: edit.Target{Toolbox: "a"}, Field: []string{"askFirst"}},
	} {
		o.page.head.askFirst.Tapped(nil)
		if len(edits.last) != 1 || !reflect.DeepEqual(edits.last[0], want) {
			t.Errorf("%v, want %v", edits.last, want)
		}
	}
}

// edits is a program that remembers the last edit.
type edits struct {
	program
	last []edit.Op
}

func (e *edits) Edit(ops []edit.Op, done func(error)) {
	e.last = ops
	e.program.Edit(ops, done)
}

// TestAppsOfToolbox checks that the header says which AI apps see the toolbox, and that its menu has a check mark for
// each.
func TestAppsOfToolbox(t *testing.T) {
	o := open(t, lively(false), normal)
	view := o.view
	view.Apps = []model.App{{ID: "cursor", Name: "Cursor"}, {ID: "zed", Name: "Zed"}, {ID: "codex", Name: "Codex"}}
	for _, tt := range []struct {
		apps  []string
		words string
		on    string
	}{
		{nil, "For all AI apps", "All AI apps, Cursor, Zed, Codex"},
		{[]string{}, "For no AI app", ""},
		{[]string{"zed"}, "For Zed", "Zed"},
		{[]string{"cursor", "zed"}, "For Cursor and Zed", "Cursor, Zed"},
		{[]string{"codex", "cursor", "zed"}, "For Cursor, Zed and Codex", "Cursor, Zed, Codex"},
	} {
		view.Toolboxes = slices.Clone(view.Toolboxes)
		view.Toolboxes[0].Apps = tt.apps
		o.Apply(view)
		o.click(model.Choice{Toolbox: "dev"})
		if got := o.page.advanced.apps.Text; got != tt.words {
			t.Errorf("%q: %s", tt.apps, got)
		}
		var on []string
		for _, item := range o.page.advanced.appsMenu().Items {
			if item.Checked {
				on = append(on, item.Label)
			}
		}
		if got := strings.Join(on, ", "); got != tt.on {
			t.Errorf("%q: the checked items are %s", tt.apps, got)
		}
	}
	view.Toolboxes[0].Apps = nil
	o.Apply(view)
	if o.window.Canvas().Overlays().Top() != nil {
		t.Error("the menu is open although no item was chosen")
	}
	o.page.advanced.appsMenu().Items[2].Action() // switches Cursor off
	if !strings.Contains(o.file(), `"apps": ["zed", "codex"]`) {
		t.Errorf("the file is %s", o.file())
	}
	view.Toolboxes = slices.Clone(view.Toolboxes)
	view.Toolboxes[0].Apps = []string{"zed", "codex"}
	o.Apply(view)
	if o.window.Canvas().Overlays().Top() == nil {
		t.Error("the menu does not stay open for the next choice")
	}
	o.page.advanced.appsMenu().Items[0].Action() // all apps
	if strings.Contains(o.file(), `"apps"`) {
		t.Errorf("the file is %s", o.file())
	}
}

// TestFoldersOfToolbox: a toolbox can be limited to folders, which are chosen and taken out in a menu.
func TestFoldersOfToolbox(t *testing.T) {
	o := open(t, lively(false), normal)
	show := func(folders []string) {
		view := o.view
		view.Toolboxes = slices.Clone(view.Toolboxes)
		view.Toolboxes[0].Folders = folders
		o.Apply(view)
		o.click(model.Choice{Toolbox: "dev"})
	}
	for _, tt := range []struct {
		folders []string
		words   string
		items   string
	}{
		{nil, "In all folders", "All folders*, , Choose a folder"},
		{[]string{}, "In no folder", "All folders, , Choose a folder"},
		{[]string{"~/work/shop/", `C:\work\blog`}, "In shop and blog", `All folders, ~/work/shop/*, C:\work\blog*, , Choose a folder`},
	} {
		show(tt.folders)
		var items []string
		for _, item := range o.page.advanced.foldersMenu().Items {
			items = append(items, item.Label+map[bool]string{true: "*"}[item.Checked])
		}
		if got := o.page.advanced.folders.Text; got != tt.words || strings.Join(items, ", ") != tt.items {
			t.Errorf("%q: %s, with the menu %q", tt.folders, got, items)
		}
	}
	show(nil)
	o.page.advanced.foldersMenu().Items[2].Action() // chooses one
	if !strings.Contains(o.file(), `"folders": ["~/work/shop"]`) {
		t.Errorf("the file is %s", o.file())
	}
	show([]string{"~/work/shop"})
	o.page.advanced.foldersMenu().Items[1].Action() // takes it out
	if strings.Contains(o.file(), `"folders"`) {
		t.Errorf("the file is %s", o.file())
	}
}

func TestCheckName(t *testing.T) {
	view := plain("a: x y; b: x")
	for _, c := range []struct {
		choice model.Choice
		name   string
		want   string
	}{
		{model.Choice{}, "c", ""},
		{model.Choice{}, "a", "There is a toolbox called “a” already."},
		{model.Choice{}, "", "The name of a toolbox cannot be empty"},
		{model.Choice{Toolbox: "a", Server: ""}, "a", ""},
		{model.Choice{Toolbox: "a", Server: ""}, "b", "There is a toolbox called “b” already."},
		{model.Choice{Toolbox: "a", Server: "x"}, "x", ""},
		{model.Choice{Toolbox: "a", Server: "x"}, "y", "There is a server called “y” in this toolbox already."},
		{model.Choice{Toolbox: "b", Server: "x"}, "y", ""},
		{model.Choice{Toolbox: "b", Server: "x"}, "a\tb", "control character"},
		{model.Choice{Toolbox: "b", Server: "x"}, "\xff", "UTF-8"},
	} {
		if got := view.CheckName(c.choice, c.name); got != c.want && (c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("%+v as %q: %q, want %q", c.choice, c.name, got, c.want)
		}
	}
}

func TestShortName(t *testing.T) {
	if got := shortName("a\nb\u202ec"); got != "a bc" {
		t.Errorf("%q", got)
	}
	if got := shortName(strings.Repeat("é", 10000)); len([]rune(got)) != maxShortName || !strings.HasSuffix(got, "…") {
		t.Errorf("%q", got)
	}
}
