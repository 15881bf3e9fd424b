package app

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// codeIn is the text editor that can be seen in something.
func codeIn(object fyne.CanvasObject) *kit.CodeEntry {
	var children []fyne.CanvasObject
	switch object := object.(type) {
	case *kit.CodeEntry:
		return object
	case *fyne.Container:
		children = object.Objects
	case fyne.Widget:
		children = test.WidgetRenderer(object).Objects()
	}
	for _, child := range children {
		if !child.Visible() {
			continue
		}
		if found := codeIn(child); found != nil {
			return found
		}
	}
	return nil
}

// What is typed in the text of the file and what other programs write become one, and both are in the file and in the window.
func TestFileView(t *testing.T) {
	b := newBench(t, "{\n  // first\n  \"toolboxes\": {\"dev\": {\"mcpServers\": {\"a\": {\"command\": \"sh\"}}}}\n}\n", nil)
	b.showFile()
	code := codeIn(b.window.window.Content())
	if code == nil {
		t.Fatal("there is no text")
	}
	types := func(line, column int, text string) {
		code.Goto(line, column)
		b.window.window.Canvas().Focus(code.Focusable())
		for _, r := range text {
			code.Focusable().TypedRune(r)
		}
	}
	has := func(what string) func() string {
		return func() string {
			if !strings.Contains(b.text(), what) {
				return "the file has not " + what + " but\n" + b.text()
			}
			if !strings.Contains(code.Text(), what) {
				return "the text has not " + what + " but\n" + code.Text()
			}
			return ""
		}
	}
	types(2, 11, " of mine")
	b.until(has("// first of mine")) // by itself

	types(2, 19, "!")
	b.write(strings.Replace(b.text(), "}\n}", "}\n}\n// theirs", 1))
	b.commit()
	b.until(has("// first of mine!"))
	b.until(has("// theirs"))

	b.write(strings.Replace(b.text(), `"sh"`, `"sh",,`, 1))
	b.until(func() string {
		if b.now.view.Broken && strings.Contains(code.Text(), `"sh",,`) {
			return ""
		}
		return "it is not shown that the file is broken"
	})
	if folder := os.Getenv("WORKBENCH_PICTURES"); folder != "" {
		file, err := os.Create(filepath.Join(folder, "app-file.png"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := png.Encode(file, b.window.window.Canvas().Capture()); err != nil {
			t.Error(err)
		}
	}
}
