package toolboxes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// text returns a configuration with the toolboxes and servers of a View.
func text(view View) string {
	var boxes []string
	for _, toolbox := range view.Toolboxes {
		var servers []string
		for _, server := range toolbox.Servers {
			servers = append(servers, fmt.Sprintf("%q: {\"command\": \"x\"}", server.Name))
		}
		boxes = append(boxes, fmt.Sprintf("  %q: {\"mcpServers\": {%s}}", toolbox.Name, strings.Join(servers, ", ")))
	}
	return "{\"toolboxes\": {\n" + strings.Join(boxes, ",\n") + "\n}}\n"
}

// after applies operations to the configuration of a View and returns the result as a text like that of plain.
func after(t *testing.T, view View, ops []edit.Op) string {
	t.Helper()
	result, err := edit.Apply([]byte(text(view)), ops...)
	if err != nil {
		t.Fatalf("%v: %v", ops, err)
	}
	var parts []string
	for _, toolbox := range config.Parse("x", result).Config.Toolboxes {
		part := toolbox.Name + ":"
		for _, server := range toolbox.Servers {
			part += " " + server.Name
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

// TestDrop checks what the file contains after a drop at each height. With b folded the rows are: 0 a, 1 -x, 2 -y, 3
// b, 4 c, 5 -z.
func TestDrop(t *testing.T) {
	const before = "a: x y; b: u; c: z"
	view := plain(before)
	rows := view.Rows("", map[string]bool{"b": true})
	g := float32(10)
	toolbox := func(name string) model.Choice { return model.Choice{Toolbox: name} }
	for _, c := range []struct {
		dragged model.Choice
		y       float32
		line    int
		into    int
		after   string
	}{
		// Toolboxes go between toolboxes. It matters which half of all rows of a toolbox the pointer is over.
		{toolbox("c"), -50, 0, noRow, "c: z; a: x y; b: u"},
		{toolbox("c"), 14, 0, noRow, "c: z; a: x y; b: u"},
		{toolbox("c"), 16, 3, noRow, "a: x y; c: z; b: u"},
		{toolbox("c"), 34, 3, noRow, "a: x y; c: z; b: u"},
		{toolbox("c"), 36, 4, noRow, before},
		{toolbox("c"), 500, 6, noRow, before},
		{toolbox("a"), 38, 4, noRow, "b: u; a: x y; c: z"},
		{toolbox("a"), 49, 4, noRow, "b: u; a: x y; c: z"},
		{toolbox("a"), 59, 6, noRow, "b: u; c: z; a: x y"},
		{toolbox("a"), 999, 6, noRow, "b: u; c: z; a: x y"},
		{toolbox("a"), 5, 0, noRow, before},
		{toolbox("a"), 29, 3, noRow, before},
		{toolbox("b"), 1, 0, noRow, "b: u; a: x y; c: z"},

		// Servers go between servers, into a toolbox, or from its lower edge to its beginning.
		{model.Choice{Toolbox: "a", Server: "x"}, 26, 3, noRow, "a: y x; b: u; c: z"},
		{model.Choice{Toolbox: "a", Server: "x"}, 21, 2, noRow, before}, // x is before y already
		{model.Choice{Toolbox: "a", Server: "x"}, 12, 1, noRow, before},
		{model.Choice{Toolbox: "a", Server: "x"}, 17, 2, noRow, before},
		{model.Choice{Toolbox: "a", Server: "y"}, 12, 1, noRow, "a: y x; b: u; c: z"},
		{model.Choice{Toolbox: "a", Server: "y"}, 8, 1, noRow, "a: y x; b: u; c: z"},
		{model.Choice{Toolbox: "a", Server: "x"}, 3, noRow, 0, "a: y x; b: u; c: z"},
		{model.Choice{Toolbox: "a", Server: "y"}, 3, noRow, 0, before},
		{model.Choice{Toolbox: "a", Server: "x"}, 33, noRow, 3, "a: y; b: u x; c: z"},
		// a folded toolbox does not show its beginning
		{model.Choice{Toolbox: "a", Server: "x"}, 39, noRow, 3, "a: y; b: u x; c: z"},
		{model.Choice{Toolbox: "a", Server: "x"}, 45, noRow, 4, "a: y; b: u; c: z x"},
		{model.Choice{Toolbox: "a", Server: "x"}, 49, 5, noRow, "a: y; b: u; c: x z"},
		{model.Choice{Toolbox: "a", Server: "x"}, 52, 5, noRow, "a: y; b: u; c: x z"},
		{model.Choice{Toolbox: "a", Server: "x"}, 58, 6, noRow, "a: y; b: u; c: z x"},
		{model.Choice{Toolbox: "a", Server: "x"}, 700, 6, noRow, "a: y; b: u; c: z x"},
		{model.Choice{Toolbox: "c", Server: "z"}, -20, noRow, 0, "a: x y z; b: u; c:"},
		{model.Choice{Toolbox: "c", Server: "z"}, 15.1, 2, noRow, "a: x z y; b: u; c:"},
	} {
		name := fmt.Sprintf("%s/%s at %v", c.dragged.Toolbox, c.dragged.Server, c.y)
		landing, ok := view.Land(rows, g, c.dragged, c.y)
		if !ok || landing.Line != c.line || landing.Into != c.into {
			t.Errorf("%s: line %d, into %d, %v; want %d, %d", name, landing.Line, landing.Into, ok, c.line, c.into)
			continue
		}
		ops, now, refused := view.Drop(c.dragged, landing, false)
		if got := after(t, view, ops); got != c.after || refused != "" {
			t.Errorf("%s: %q, want %q; refused %q", name, got, c.after, refused)
		}
		if !plain(c.after).has(now) {
			t.Errorf("%s: the new choice %+v does not exist", name, now)
		}
		if landing.Nothing != (c.after == before) {
			t.Errorf("%s: Nothing is %v", name, landing.Nothing)
		}
	}
	if _, ok := view.Land(rows, g, model.Choice{Toolbox: "gone", Server: "x"}, 5); ok {
		t.Error("a server that is gone can be dropped")
	}
	if _, ok := view.Land(nil, g, model.Choice{Toolbox: "a", Server: "x"}, 5); ok {
		t.Error("a server can be dropped where there are no rows")
	}
}

// TestDropOnTheSameName checks that a copy gets a free name, but a move to a toolbox that has the name is refused.
func TestDropOnTheSameName(t *testing.T) {
	view := plain("a: x y; b: x")
	rows := view.Rows("", nil)
	landing, _ := view.Land(rows, 10, model.Choice{Toolbox: "a", Server: "x"}, 38)
	ops, now, refused := view.Drop(model.Choice{Toolbox: "a", Server: "x"}, landing, false)
	if ops != nil || now != (model.Choice{Toolbox: "a", Server: "x"}) ||
		refused != "“b” has a server called “x” already. Rename one of them first." {
		t.Errorf("%v, %+v, %q", ops, now, refused)
	}
	ops, now, refused = view.Drop(model.Choice{Toolbox: "a", Server: "x"}, landing, true)
	if got := after(t, view, ops); got != "a: x y; b: x-2 x" || now != (model.Choice{Toolbox: "b", Server: "x-2"}) ||
		refused != "" {
		t.Errorf("%q, %+v, %q", got, now, refused)
	}
}

// TestDropAmongFoundRows checks that rows can be dropped next to the rows that a search leaves.
func TestDropAmongFoundRows(t *testing.T) {
	view := plain("a: x1 y x2; b: x3")
	rows := view.Rows("x", nil) // a -x1 -x2 b -x3
	landing, ok := view.Land(rows, 10, model.Choice{Toolbox: "b", Server: "x3"}, 18)
	ops, _, _ := view.Drop(model.Choice{Toolbox: "b", Server: "x3"}, landing, false)
	if got := after(t, view, ops); !ok || got != "a: x1 x3 y x2; b:" {
		t.Errorf("%q", got)
	}
}

func TestAutoScroll(t *testing.T) {
	last := float32(0)
	for _, y := range []float32{300, 265, 280, 299, 330, 900} {
		by := autoScroll(y, 300)
		if by <= 0 || by > 1600 {
			t.Errorf("at %v of 300 the tree scrolls by %v", y, by)
		}
	}
	for y := float32(30); y > -60; y -= 5 {
		by := autoScroll(y, 300)
		if by >= 0 || by < -1600 || by > last && last != 0 {
			t.Errorf("at %v the tree scrolls by %v, after %v", y, by, last)
		}
		last = by
	}
	if autoScroll(150, 300) != 0 {
		t.Error("the tree scrolls in the middle")
	}
}

func FuzzDrop(f *testing.F) {
	f.Add("a: x y; b: u; c: z", "a", "x", float32(35), true, false)
	f.Fuzz(func(t *testing.T, in, toolbox, server string, y float32, folded, copied bool) {
		view := plain(in)
		seen := map[string]bool{}
		for _, box := range view.Toolboxes {
			if seen[box.Name] || edit.CheckName("toolbox", box.Name) != nil {
				t.Skip()
			}
			seen[box.Name] = true
			inner := map[string]bool{}
			for _, server := range box.Servers {
				if inner[server.Name] || edit.CheckName("server", server.Name) != nil {
					t.Skip()
				}
				inner[server.Name] = true
			}
		}
		rows := view.Rows("", map[string]bool{toolbox: folded})
		dragged := model.Choice{Toolbox: toolbox, Server: server}
		landing, ok := view.Land(rows, 10, dragged, y)
		if !ok {
			return
		}
		ops, now, refused := view.Drop(dragged, landing, copied)
		if refused != "" || len(ops) == 0 {
			return
		}
		result, err := edit.Apply([]byte(text(view)), ops...)
		if err != nil {
			t.Fatalf("%v on %s: %v", ops, text(view), err)
		}
		done := viewOf(from(string(result)))
		if !done.has(now) {
			t.Errorf("%+v does not exist after %v", now, ops)
		}
	})
}

// TestFoundByATool checks that selecting a server that was found by one of its tools shows that tool.
func TestFoundByATool(t *testing.T) {
	o := open(t, lively(false), normal)
	o.search.SetText("search_nodes")
	o.click(model.Choice{Toolbox: "dev", Server: "memory"})
	if got := o.asked(); got != "settings of dev/memory; tool search_nodes of memory" {
		t.Error(got)
	}
	o.search.SetText("memory")
	o.click(model.Choice{Toolbox: "dev", Server: "memory"})
	if got := o.asked(); got != "" {
		t.Error(got)
	}
}

// TestFoundBecauseUnused checks that selecting a server that was found because it is unused shows no tool.
func TestFoundBecauseUnused(t *testing.T) {
	o := open(t, lively(false), normal)
	view := o.view
	view.Toolboxes[0].Servers[0].Unused = true
	o.Apply(view)
	o.ShowUnused()
	at := view.at(Row{Toolbox: 0, Server: 0})
	o.click(at)
	if got := o.asked(); got != "settings of "+at.Toolbox+"/"+at.Server {
		t.Error(got)
	}
}
