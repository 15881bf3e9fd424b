// Package bykeys is for tests. It goes through a window with the Tab key, as a user without a mouse does. It reports
// controls that the key does not reach and controls on which the focus is not visible.
package bykeys

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"reflect"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

// Otherwise lists objects that can be clicked and that the user reaches in another way than with the Tab key. A key of
// the map is the name or the type of an object, such as "*toolboxes.card". The value says how the user reaches the
// object, for the reader of the test.
type Otherwise map[string]string

// most is the largest number of times that a walk presses the Tab key.
const most = 400

// Walker goes through a window, perhaps several times in different states. It checks how the focus looks only once for
// each type of control.
type Walker struct {
	t         testing.TB
	canvas    fyne.Canvas
	otherwise Otherwise
	seen      map[string]bool            // the types of controls on which the look of the focus was checked
	reached   map[fyne.CanvasObject]bool // the objects that have had the focus in this walk
}

// New returns a walker for a window. otherwise may be nil.
func New(t testing.TB, window fyne.Window, otherwise Otherwise) *Walker {
	return &Walker{t: t, canvas: window.Canvas(), otherwise: otherwise, seen: map[string]bool{}}
}

// In makes the walker continue in another window, and perhaps in another test.
func (w *Walker) In(t testing.TB, window fyne.Window) *Walker {
	w.t, w.canvas = t, window.Canvas()
	return w
}

// Walk goes once around the top dialog or, if there is none, the window. It returns the objects that have had the
// focus, in order. It fails the test if
//
//   - the Tab key does not focus any object;
//   - an object that gets the focus is hidden, disabled or out of view, or keeps the Tab key;
//   - the focus on such an object is not visible;
//   - the F1 key, which shows the list of keys, does not reach the window from such an object, unless the object is a widget of Fyne;
//   - an object that can be clicked is not in [Otherwise], has not had the focus, and is not part of an object that has had it, as a
//     row is part
//     of a list.
func (w *Walker) Walk() []fyne.Focusable {
	t := w.t
	t.Helper()
	w.reached = map[fyne.CanvasObject]bool{}
	w.canvas.Unfocus()
	var order []fyne.Focusable
	for range most {
		w.canvas.FocusNext()
		focused := w.canvas.Focused()
		if focused == nil {
			t.Error("the Tab key does not focus any object")
			return order
		}
		object := focused.(fyne.CanvasObject)
		if w.reached[object] {
			break
		}
		w.reached[object] = true
		order = append(order, focused)
		w.look(focused, object)
	}
	w.each(w.root(), nil, func(object fyne.CanvasObject, around []fyne.CanvasObject) {
		if name := Name(object); !w.canBeReached(object, around) && w.otherwise[name] == "" &&
			w.otherwise[kind(object)] == "" {
			t.Errorf("%q, a %s, can be clicked but not reached with the Tab key", name, kind(object))
		}
	})
	return order
}

// Name returns the name of an object for screen readers or, if it has none, its type.
func Name(object any) string {
	if named, ok := object.(interface{ AccessibilityLabel() string }); ok && named.AccessibilityLabel() != "" {
		return named.AccessibilityLabel()
	}
	return kind(object)
}

func kind(object any) string { return fmt.Sprintf("%T", object) }

// root returns what keys can reach: the top dialog or the window.
func (w *Walker) root() fyne.CanvasObject {
	if top := w.canvas.Overlays().Top(); top != nil {
		return top
	}
	return w.canvas.Content()
}

// look checks the object that has just got the focus.
func (w *Walker) look(focused fyne.Focusable, object fyne.CanvasObject) {
	w.t.Helper()
	name := Name(object)
	if disabled, ok := object.(fyne.Disableable); ok && disabled.Disabled() {
		w.t.Errorf("%q has the focus, and is disabled", name)
	}
	if tabbed, ok := object.(fyne.Tabbable); ok && tabbed.AcceptsTab() {
		w.t.Errorf("%q keeps the Tab key as soon as it has the focus", name)
	}
	// Fyne's own widgets pass on nothing
	if len(Passed(w.canvas, focused, fyne.KeyF1)) == 0 && !strings.HasPrefix(kind(object), "*widget.") {
		w.t.Errorf("%q, a %s, keeps the F1 key, which shows the list of keys", name, kind(object))
	}
	view, place, found := w.view(object)
	switch {
	case !found:
		w.t.Errorf("%q has the focus, and is hidden", name)
		return
	case place.Intersect(view).Empty():
		w.t.Errorf("%q has the focus, and is out of view: it is at %v, and the view is %v", name, place, view)
		return
	}
	if w.seen[kind(object)] {
		return
	}
	w.seen[kind(object)] = true
	with := w.canvas.Capture()
	w.canvas.Unfocus()
	without := w.canvas.Capture()
	w.canvas.Focus(focused)
	const least = 24 // pixels; a caret or a short line has at least as many
	if points := changed(without, with); points < least {
		w.t.Errorf("%q, a %s, has the focus, and that is not visible: %d pixels have changed", name, kind(object), points)
	}
}

// Passed types keys at an object, and returns the keys that the object passes on to the window.
func Passed(canvas fyne.Canvas, focused fyne.Focusable, keys ...fyne.KeyName) (passed []fyne.KeyName) {
	before := canvas.OnTypedKey()
	canvas.SetOnTypedKey(func(event *fyne.KeyEvent) { passed = append(passed, event.Name) })
	for _, key := range keys {
		focused.TypedKey(&fyne.KeyEvent{Name: key})
	}
	canvas.SetOnTypedKey(before)
	return passed
}

// view returns the part of the window in which an object can be visible, and the place of the object.
func (w *Walker) view(wanted fyne.CanvasObject) (view, place image.Rectangle, found bool) {
	size := w.canvas.Size()
	w.eachIn(w.root(), nil, func(object fyne.CanvasObject, around []fyne.CanvasObject) {
		if object != wanted {
			return
		}
		found, view, place = true, image.Rect(0, 0, int(size.Width), int(size.Height)), rectangle(object)
		for _, outer := range around {
			if _, scroll := outer.(*container.Scroll); scroll {
				view = view.Intersect(rectangle(outer))
			}
		}
	})
	return view, place, found
}

func rectangle(object fyne.CanvasObject) image.Rectangle {
	at, size := fyne.CurrentApp().Driver().AbsolutePositionForObject(object), object.Size()
	return image.Rect(int(at.X), int(at.Y), int(at.X+size.Width), int(at.Y+size.Height))
}

// canBeReached reports whether an object has had the focus, or is part of an object that has had the focus. An object
// that can have the focus must have had it itself, unless the arrow keys lead to it.
func (w *Walker) canBeReached(object fyne.CanvasObject, around []fyne.CanvasObject) bool {
	if w.reached[object] {
		return true
	}
	// a button, which may be part of a group in which the arrow keys move the focus
	inner, ok := object.(interface{ Inner() bool })
	if _, focusable := object.(fyne.Focusable); focusable && !(ok && inner.Inner()) {
		return false
	}
	for _, outer := range around {
		if w.reached[outer] {
			return true
		}
	}
	return false
}

// each calls do with every visible object that can be clicked, and with the objects around it.
func (w *Walker) each(object fyne.CanvasObject, around []fyne.CanvasObject,
	do func(fyne.CanvasObject, []fyne.CanvasObject)) {
	w.eachIn(object, around, func(object fyne.CanvasObject, around []fyne.CanvasObject) {
		if kind(object) == "*widget.scrollBarArea" { // the user can scroll with the arrow keys instead
			return
		}
		disabled, _ := object.(fyne.Disableable)
		if _, tappable := object.(fyne.Tappable); tappable && !object.Size().IsZero() &&
			(disabled == nil || !disabled.Disabled()) {
			do(object, around)
		}
	})
}

// eachIn calls do with object and every visible object in it. The second argument of do is the objects around the
// first one, from the outside in.
func (w *Walker) eachIn(object fyne.CanvasObject, around []fyne.CanvasObject,
	do func(fyne.CanvasObject, []fyne.CanvasObject)) {
	if object == nil || reflect.ValueOf(object).IsNil() || !object.Visible() {
		return
	}
	do(object, around)
	var parts []fyne.CanvasObject
	switch o := object.(type) {
	case *fyne.Container:
		parts = o.Objects
	case fyne.Widget:
		parts = test.WidgetRenderer(o).Objects()
	}
	inner := append(around[:len(around):len(around)], object)
	for _, part := range parts {
		w.eachIn(part, inner, do)
	}
}

// changed counts the pixels that differ clearly between two pictures: those with a contrast of more than 2.
func changed(before, after image.Image) int {
	count := 0
	bounds := before.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			a, b := before.At(x, y), after.At(x, y)
			if a == b {
				continue
			}
			if one, two := luminance(a), luminance(b); (max(one, two)+0.05)/(min(one, two)+0.05) > 2 {
				count++
			}
		}
	}
	return count
}

// luminance returns how light a colour is, as defined by WCAG.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(part uint32) float64 {
		v := float64(part) / 0xffff
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}
