// Package kittest is for tests. It reads what a window shows, and presses its buttons.
package kittest

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Window is a window with what a test looks at.
type Window struct {
	fyne.Window
	t testing.TB
}

// Open opens a window of a size with content on the background of the window. It is closed when the test ends.
func Open(t testing.TB, content fyne.CanvasObject, size fyne.Size) *Window {
	t.Helper()
	w := &Window{test.NewTempWindow(t, kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground}, content)), t}
	w.SetPadded(false)
	w.Resize(size)
	return w
}

// Texts returns all visible texts, one on each line.
func (w *Window) Texts() string { return Texts(test.LaidOutObjects(w.Content())) }

// Reads fails the test if one of the wanted texts is not visible.
func (w *Window) Reads(wanted ...string) {
	w.t.Helper()
	Reads(w.t, w.Texts(), wanted...)
}

// Lacks fails the test if one of the unwanted texts is visible.
func (w *Window) Lacks(unwanted ...string) {
	w.t.Helper()
	Lacks(w.t, w.Texts(), unwanted...)
}

// Seen returns an object and everything that it consists of, except hidden objects and what is inside them.
func Seen(object fyne.CanvasObject) []fyne.CanvasObject {
	if object == nil || !object.Visible() {
		return nil
	}
	all := []fyne.CanvasObject{object}
	var parts []fyne.CanvasObject
	switch object := object.(type) {
	case *fyne.Container:
		parts = object.Objects
	case fyne.Widget:
		parts = test.WidgetRenderer(object).Objects()
	}
	for _, part := range parts {
		all = append(all, Seen(part)...)
	}
	return all
}

// Texts returns the texts of some objects, such as those that [Seen] returns, one on each line.
func Texts(objects []fyne.CanvasObject) string {
	var texts []string
	for _, object := range objects {
		switch object := object.(type) {
		case *kit.Text:
			if object.Visible() && object.Size().Width > 0 {
				texts = append(texts, object.Text())
			}
		case *kit.Lines:
			texts = append(texts, object.Text())
		case *code.Whole:
			texts = append(texts, object.Text())
		case *code.Entry:
			texts = append(texts, object.Text())
		case *kit.Selectable:
			texts = append(texts, object.Text)
		case *kit.Button:
			texts = append(texts, object.AccessibilityLabel())
		case *kit.Check:
			texts = append(texts, object.Text)
		case *widget.RichText:
			texts = append(texts, object.String())
		case *widget.Label:
			texts = append(texts, object.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Reads fails the test if one of the wanted texts is missing in all, which is a result of [Texts].
func Reads(t testing.TB, all string, wanted ...string) {
	t.Helper()
	for _, text := range wanted {
		if !strings.Contains(all, text) {
			t.Errorf("the window does not show %q, but:\n%s", text, all)
		}
	}
}

// Lacks fails the test if one of the unwanted texts is in all, which is a result of [Texts].
func Lacks(t testing.TB, all string, unwanted ...string) {
	t.Helper()
	for _, text := range unwanted {
		if strings.Contains(all, text) {
			t.Errorf("the window shows %q:\n%s", text, all)
		}
	}
}

// Tap clicks the first enabled button with the given label. It fails the test if no visible button has the label.
func Tap(t testing.TB, objects []fyne.CanvasObject, label string) {
	t.Helper()
	var found *kit.Button
	for _, object := range objects {
		button, ok := object.(*kit.Button)
		if ok && button.AccessibilityLabel() == label && button.Visible() && (found == nil || found.Disabled()) {
			found = button
		}
	}
	if found == nil {
		t.Fatalf("there is no button %q:\n%s", label, Texts(objects))
	}
	test.Tap(found)
}
