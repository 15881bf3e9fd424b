package tryit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"
)

// manyFields returns the schema of a tool with count text fields, of which the last is required.
func manyFields(count int) string {
	var fields []string
	for i := range count {
		fields = append(fields, fmt.Sprintf(`"field-%03d": {"type": "string", "description": "What it is about"}`, i))
	}
	return fmt.Sprintf(`{"type": "object", "properties": {%s}, "required": ["field-%03d"]}`, strings.Join(fields, ", "),
		count-1)
}

// A form with very many fields draws only those that have been in view. It draws the others when the user scrolls to
// them or when they have a problem.
func TestManyFields(t *testing.T) {
	d := open(t, tool("many", "", manyFields(380)), fyne.NewSize(800, 600), base.VariantLight)
	if drawn := len(d.form.parts); drawn < 5 || drawn > 40 {
		t.Fatalf("%d fields are drawn", drawn)
	}
	whole := d.form.column.Root.Size().Height
	first := d.part("field-000")
	if !first.box.Visible() {
		t.Error("the first field is not visible")
	}
	d.scroll.Wheel(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -whole/2)})
	if first.box.Visible() {
		t.Error("a field that is far out of view is not hidden")
	}
	d.scroll.ScrollToTop()
	if !first.box.Visible() {
		t.Error("the first field is not visible again")
	}
	if drawn := len(d.form.parts); drawn > 80 {
		t.Errorf("%d fields are drawn", drawn)
	}

	d.write("first", "field-000")
	d.Run()
	if len(d.calls) > 0 {
		t.Fatal("the tool was called although a field is missing")
	}
	last := d.form.parts[d.form.root.Members[379]]
	if last == nil || string(last.fault) == "" || d.window.Canvas().Focused() != last.focus {
		t.Fatal("the missing field does not have the focus")
	}
	d.window.Reads("field-379")
	d.write("last", "field-379")
	d.Run()
	if len(d.calls) != 1 {
		t.Fatal("the tool was not called")
	}
	var sent map[string]string
	if err := json.Unmarshal(d.calls[0].arguments, &sent); err != nil || len(sent) != 2 || sent["field-000"] != "first" ||
		sent["field-379"] != "last" {
		t.Errorf("sent %s, %v", d.calls[0].arguments, err)
	}
}

// When a form with very many fields is drawn again, a field that was drawn before is drawn again when it has a
// problem.
func TestManyFieldsDrawnAgain(t *testing.T) {
	d := open(t, tool("many", "", manyFields(60)), fyne.NewSize(800, 600), base.VariantLight)
	d.mode.OnChosen(1)
	d.json.SetText(`{"more": 1}`)
	d.mode.OnChosen(0)
	d.Run()
	d.scroll.ScrollToTop()
	d.tap("Remove", 0)
	d.Run()
	last := d.form.parts[d.form.root.Members[59]]
	if last == nil || string(last.fault) == "" ||
		!slices.Contains(test.LaidOutObjects(d.window.Content()), fyne.CanvasObject(last.box)) {
		t.Error("the field that is missing is not shown")
	}
}

// A long text is prepared in the background and shown when it is ready.
func TestLongTextComesLater(t *testing.T) {
	d := open(t, tool("long", "", `{"type": "object"}`), fyne.NewSize(800, 600), base.VariantLight)
	d.Run()
	text := "the first line\n" + strings.Repeat("a line like all the others\n", 1+maxHasty/20) + "the last line"
	answer, err := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}})
	if err != nil {
		t.Fatal(err)
	}
	d.answer(string(answer), nil)
	d.window.Reads("the first line")
	d.window.Lacks("the last line")
	d.tap("Show all", 0)
	d.window.Lacks("the last line")
	d.until("all of it is shown", func() bool { return strings.Contains(d.window.Texts(), "the last line") })
}
