package toolboxes

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

func TestDragInTheTree(t *testing.T) {
	for _, c := range []struct {
		from, to model.Choice
		part     float32
		want     string
	}{
		{model.Choice{Toolbox: "dev", Server: "memory"}, model.Choice{Toolbox: "dev", Server: "filesystem"}, 0.2,
			"dev -memory -filesystem research -search -papers -arxiv home -calendar -notes"},
		{model.Choice{Toolbox: "dev", Server: "memory"}, model.Choice{Toolbox: "research", Server: "papers"}, 0.8,
			"dev -filesystem research -search -papers -memory -arxiv home -calendar -notes"},
		{model.Choice{Toolbox: "research", Server: "arxiv"}, model.Choice{Toolbox: "dev", Server: ""}, 0.5,
			"dev -filesystem -memory -arxiv research -search -papers home -calendar -notes"},
		{model.Choice{Toolbox: "home", Server: ""}, model.Choice{Toolbox: "dev", Server: ""}, 0.2,
			"home -calendar -notes dev -filesystem -memory research -search -papers -arxiv"},
		{model.Choice{Toolbox: "dev", Server: ""}, model.Choice{Toolbox: "home", Server: "notes"}, 0.9,
			"research -search -papers -arxiv home -calendar -notes dev -filesystem -memory"},
		{model.Choice{Toolbox: "dev", Server: "memory"}, model.Choice{Toolbox: "dev", Server: "memory"}, 0.9, all},
	} {
		o := open(t, lively(false), normal)
		o.dragTo(c.from, c.to, c.part)
		if !o.tree.drag.on {
			t.Fatal("nothing is dragged")
		}
		o.tree.DragEnd()
		o.isOrder(c.want)
		if o.tree.drag.on || o.tree.line.Visible() {
			t.Error("the line is still visible")
		}
		if c.want != all && c.from.Server != "" && o.kept.Selected.Server != c.from.Server {
			t.Errorf("selected is %+v", o.kept.Selected)
		}
	}
}

func TestDragShowsWhere(t *testing.T) {
	o := open(t, lively(false), normal)
	body := o.tree
	o.dragTo(model.Choice{Toolbox: "dev", Server: "memory"}, model.Choice{Toolbox: "research", Server: "papers"}, 0.9)
	if !body.line.Visible() || body.line.Position().X < stateLeft || body.line.Position().Y < 6*step-6 ||
		body.line.Position().Y > 6*step+6 {
		t.Errorf("the line is at %v, visible %v", body.line.Position(), body.line.Visible())
	}
	o.dragTo(model.Choice{Toolbox: "dev", Server: "memory"}, model.Choice{Toolbox: "home", Server: ""}, 0.5)
	if body.line.Visible() || !body.look(body.rowOf(model.Choice{Toolbox: "home", Server: ""})).into {
		t.Error("the target toolbox is not marked")
	}
	if !body.look(body.rowOf(model.Choice{Toolbox: "dev", Server: "memory"})).faded {
		t.Error("the dragged row is not faded")
	}

	// Esc cancels the drag, even if the mouse moves on before its button is released.
	o.key(fyne.KeyEscape)
	if body.drag.on || body.line.Visible() {
		t.Error("Esc does not end the drag")
	}
	body.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(50, 10)},
		Dragged: fyne.NewDelta(0, -50)})
	body.DragEnd()
	o.isOrder(all)
	o.drag(model.Choice{Toolbox: "dev", Server: "memory"}, model.Choice{Toolbox: "home", Server: ""}, 0.5)
	o.isOrder("dev -filesystem research -search -papers -arxiv home -calendar -notes -memory")
}

// TestDragNeedsSomeWay checks that a click with an unsteady hand does not drag anything.
func TestDragNeedsSomeWay(t *testing.T) {
	o := open(t, lively(false), normal)
	body, at := o.tree, o.at(model.Choice{Toolbox: "research", Server: "arxiv"}, 0.9)
	body.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: at.AddXY(2, 3)}, Dragged: fyne.NewDelta(2, 3)})
	if body.drag.on {
		t.Error("a drag has begun")
	}
	body.DragEnd()
	o.isOrder(all)
	o.isChoice("research", "arxiv")
	// Below the rows there is nothing to drag.
	body.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(9, 900)},
		Dragged: fyne.NewDelta(0, 30)})
	body.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(9, 20)},
		Dragged: fyne.NewDelta(0, -880)})
	body.DragEnd()
	o.isOrder(all)
}

func TestDragOntoTheSameName(t *testing.T) {
	o := open(t, from(`{"toolboxes": {"a": {"mcpServers": {"x": {"command": "1"}}}, "b": {"mcpServers": {"x": {"command": "2"}}}}}`), small)
	o.drag(model.Choice{Toolbox: "a", Server: "x"}, model.Choice{Toolbox: "b", Server: ""}, 0.5)
	o.isOrder("a -x b -x")
	o.reads("“b” has a server called “x” already")
	o.tap("Close")
	o.lacks("has a server called")
}

// TestDragScrolls checks that the tree scrolls while something is dragged near its edge. The place to drop follows the
// rows under the pointer.
func TestDragScrolls(t *testing.T) {
	o := open(t, many(), normal)
	body := o.tree
	o.dragTo(model.Choice{Toolbox: "toolbox-0", Server: "server-0-1"},
		model.Choice{Toolbox: "toolbox-0", Server: "server-0-3"}, 0.5)
	edge := o.tree.scroll.Size().Height - 4
	body.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(50, edge)}})
	before := body.drag.landing
	for range 100 {
		body.scrollOn(0.02)
	}
	if o.tree.scroll.Offset.Y < 500 || body.drag.landing == before {
		t.Errorf("scrolled to %v, lands at %+v", o.tree.scroll.Offset.Y, body.drag.landing)
	}
	if count := body.rows.Count(); count > 40 {
		t.Errorf("%d rows have widgets", count)
	}
	if !body.ghost.root.Visible() || body.ghost.name.Text() != "server-0-1" {
		t.Error("the name of the dragged server is not at the pointer")
	}
	target := body.drag.landing.To
	body.DragEnd()
	if target.Toolbox == "toolbox-0" || o.kept.Selected != (model.Choice{Toolbox: target.Toolbox, Server: "server-0-1"}) {
		t.Errorf("the target was %+v, the server is at %+v", target, o.kept.Selected)
	}
	at := o.tree.scroll.Offset.Y
	body.scrollOn(1)
	if body.drag.on || o.tree.scroll.Offset.Y != at {
		t.Error("the tree still scrolls")
	}
	// The dropped server is visible in the tree and as a card.
	if row := body.rowOf(o.kept.Selected); body.rows.Object(row) == nil {
		t.Error("the dropped server has no visible row")
	}
	for i, server := range o.page.toolbox.Servers {
		if server.Name == "server-0-1" && o.kept.Selected.Server == "server-0-1" && o.page.cards.Object(i) == nil {
			t.Error("the dropped server has no visible card")
		}
	}
}

// TestDragWhileTheFileChanges checks that a drag continues when the file changes, and ends if the dragged server is
// gone.
func TestDragWhileTheFileChanges(t *testing.T) {
	o := open(t, lively(false), normal)
	o.dragTo(model.Choice{Toolbox: "dev", Server: "memory"}, model.Choice{Toolbox: "home", Server: ""}, 0.5)
	o.write(strings.Replace(livelyText, `"memory"`, `"notebook"`, 1))
	if what := o.tree.drag.what; !o.tree.drag.on || what != (model.Choice{Toolbox: "dev", Server: "notebook"}) {
		t.Errorf("dragged is %+v", what)
	}
	o.write(`{"toolboxes": {"home": {"mcpServers": {}}}}`)
	if o.tree.drag.on {
		t.Error("a server that is gone is still dragged")
	}
	o.tree.DragEnd()
	o.isOrder("home")
}
