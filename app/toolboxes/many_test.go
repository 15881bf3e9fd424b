package toolboxes

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// many returns a configuration of 100 toolboxes with 10 servers each.
func many() *model.Snapshot {
	var b strings.Builder
	b.WriteString(`{"toolboxes": {`)
	for i := range 100 {
		fmt.Fprintf(&b, `%s"toolbox-%d": {"mcpServers": {`, map[bool]string{true: ", "}[i > 0], i)
		for j := range 10 {
			fmt.Fprintf(&b, `%s"server-%d-%d": {"command": "program", "args": ["--number", "%d"]}`,
				map[bool]string{true: ", "}[j > 0], i, j, i)
		}
		b.WriteString("}}")
	}
	b.WriteString("}}")
	return from(b.String())
}

// TestWidgetsOnlyForWhatIsSeen checks that only visible rows have widgets, so that a long list costs no more than a
// short one.
func TestWidgetsOnlyForWhatIsSeen(t *testing.T) {
	o := open(t, many(), normal)
	if len(o.rows) != 1100 {
		t.Fatalf("the tree has %d rows", len(o.rows))
	}
	count := func() (rows, cards int) {
		for _, object := range seen(o.window.Content()) {
			switch object.(type) {
			case *treeRow:
				rows++
			case *card:
				cards++
			}
		}
		return rows, cards
	}
	for _, at := range []float32{0, 333, 20000, 1e9, 5} {
		o.tree.scrollTo(at)
		if rows, cards := count(); rows < 15 || rows > 24 || cards < 5 || cards > 12 {
			t.Errorf("at %v, %d rows and %d cards have widgets", at, rows, cards)
		}
	}
	o.Select(model.Choice{Toolbox: "toolbox-99", Server: "server-99-9"})
	if row := o.tree.rows.Object(1099); row == nil {
		t.Error("the selected row is not visible")
	}
}

func BenchmarkLook(b *testing.B) {
	source := many()
	for b.Loop() {
		viewOf(source)
	}
}

func BenchmarkRows(b *testing.B) {
	view := viewOf(many())
	for b.Loop() {
		view.Rows("server-7", nil)
	}
}

func BenchmarkApply(b *testing.B) {
	test.NewApp().Settings().SetTheme(theme.Theme{})
	screen := New(program{&opened{}}, kit.NewText("", kit.TextStyle{}), &model.OpenedToolboxes{})
	window := test.NewWindow(screen.Object())
	defer window.Close()
	window.Resize(normal)
	view := viewOf(many())
	for b.Loop() {
		screen.Apply(view)
	}
}

// TestSelectionStaysVisible checks that a server that was found by its name is still visible in the tree after the
// search was cleared.
func TestSelectionStaysVisible(t *testing.T) {
	o := open(t, many(), normal)
	o.search.SetText("server-70-5")
	o.firstFound()
	o.search.SetText("")
	body := o.tree
	row := body.rowOf(model.Choice{Toolbox: "toolbox-70", Server: "server-70-5"})
	top, height := float32(row)*step-body.scroll.Offset.Y, body.scroll.Size().Height
	if row == noRow || top < 0 || top+rowHeight > height {
		t.Errorf("row %d is at %v of %v pixels", row, top, height)
	}
}
