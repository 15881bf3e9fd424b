package tryit

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// The Tab key must reach everything that can be clicked: in the form, while a tool runs, and in every kind of result.
func TestByKeys(t *testing.T) {
	d := open(t, tool("order", "Makes an order.", nested), narrow, base.VariantLight)
	w := bykeys.New(t, d.window, nil)
	walk := func(what string) {
		t.Helper()
		failed := t.Failed()
		w.Walk()
		if !failed && t.Failed() {
			t.Fatalf("the failure was in: %s", what)
		}
	}
	walk("the form")
	d.tap("Run", 0)
	walk("what is missing")

	d = open(t, tool("list", "Lists.", `{}`), narrow, base.VariantLight)
	w.In(t, d.window)
	for what, result := range map[string]string{
		"text":   `{"content":[{"type":"text","text":"Hello"}]}`,
		"a lot":  `{"content":[{"type":"text","text":"` + strings.Repeat(`line\n`, 200) + `"}]}`,
		"JSON":   `{"content":[{"type":"text","text":"{\"a\":[1,{\"b\":2}]}"}]}`,
		"table":  `{"content":[],"structuredContent":{"rows":[{"name":"a","size":1},{"name":"b","size":2}]}}`,
		"link":   `{"content":[{"type":"resource_link","uri":"file:///a","name":"a"}]}`,
		"failed": `{"isError":true,"content":[{"type":"text","text":"No such file"}]}`,
	} {
		d.tap("Run", 0)
		walk("it runs")
		d.answer(result, nil)
		walk(what)
		for _, object := range test.LaidOutObjects(d.outcome.root) {
			if mode, ok := object.(*kit.Choice); ok && mode.Visible() {
				mode.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
				walk(what + " as JSON")
			}
		}
	}
	d.tap("Run", 0)
	d.answer("", errors.New("the server has stopped"))
	walk("not run")
}
