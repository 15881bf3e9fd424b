// Package bykeys is for tests: it goes through a window with the Tab key, as somebody without a mouse does, and says what cannot be reached,
// and where one would not see where the keyboard is.
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

// Otherwise says how else than with the Tab key one comes to what can be clicked: by what it is called, or by its type, such as
// "*toolboxes.card". Its value is for who reads the test.
type Otherwise map[string]string

// most is how many steps a walk has at most. A window with more than that is too much for anybody.
const most = 400

// Walker goes through a window again and again, in different states of it. How each kind of thing looks with the keyboard it looks at once.
type Walker struct {
	t         testing.TB
	canvas    fyne.Canvas
	otherwise Otherwise
	seen      map[string]bool // the types whose looks were looked at
	reached   map[fyne.CanvasObject]bool
}

// New returns a walker through a window.
func New(t testing.TB, window fyne.Window, otherwise Otherwise) *Walker {
	return &Walker{t: t, canvas: window.Canvas(), otherwise: otherwise, seen: map[string]bool{}}
}

// In goes on in another window, and maybe another test.
func (w *Walker) In(t testing.TB, window fyne.Window) *Walker {
	w.t, w.canvas = t, window.Canvas()
	return w
}

// Walk goes through what lies on top in a window, once around, and gives what has had the keyboard. It fails the test when
//
//   - the keyboard comes to something that is hidden, disabled or out of sight, or that keeps the Tab key for itself;
//   - it is not seen there;
//   - the F1 key, which tells of the keys, does not get from there to the window;
//   - something that can be clicked has not had the keyboard, and is not in a list that has it, such as a row.
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
			t.Error("the Tab key comes to nothing")
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
		if name := Name(object); !w.canBeReached(object, around) && w.otherwise[name] == "" && w.otherwise[kind(object)] == "" {
			t.Errorf("%q, a %s, can be clicked but not reached with the Tab key", name, kind(object))
		}
	})
	return order
}

// Name is what something is called in the window, else its type.
func Name(object any) string {
	if named, ok := object.(interface{ AccessibilityLabel() string }); ok && named.AccessibilityLabel() != "" {
		return named.AccessibilityLabel()
	}
	return kind(object)
}

func kind(object any) string { return fmt.Sprintf("%T", object) }

// root is what keys can reach: a dialog, else the window.
func (w *Walker) root() fyne.CanvasObject {
	if top := w.canvas.Overlays().Top(); top != nil {
		return top
	}
	return w.canvas.Content()
}

// look looks at what has just got the keyboard.
func (w *Walker) look(focused fyne.Focusable, object fyne.CanvasObject) {
	w.t.Helper()
	name := Name(object)
	if disabled, ok := object.(fyne.Disableable); ok && disabled.Disabled() {
		w.t.Errorf("%q has the keyboard, and is disabled", name)
	}
	if tabbed, ok := object.(fyne.Tabbable); ok && tabbed.AcceptsTab() {
		w.t.Errorf("%q keeps the Tab key for itself as soon as it has the keyboard", name)
	}
	if len(Passed(w.canvas, focused, fyne.KeyF1)) == 0 && !strings.HasPrefix(kind(object), "*widget.") { // Fyne's own pass on nothing
		w.t.Errorf("%q, a %s, keeps the F1 key, which tells of the keys, for itself", name, kind(object))
	}
	view, place, found := w.view(object)
	switch {
	case !found:
		w.t.Errorf("%q has the keyboard, and is hidden", name)
		return
	case place.Intersect(view).Empty():
		w.t.Errorf("%q has the keyboard, and is out of sight: it is at %v, and %v is seen", name, place, view)
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
	const least = 24 // points: a caret, or a short line
	if points := changed(without, with); points < least {
		w.t.Errorf("%q, a %s, has the keyboard, and that is not seen: %d points have changed", name, kind(object), points)
	}
}

// Passed types keys where the keyboard is to be, and gives those that the window gets.
func Passed(canvas fyne.Canvas, focused fyne.Focusable, keys ...fyne.KeyName) (passed []fyne.KeyName) {
	before := canvas.OnTypedKey()
	canvas.SetOnTypedKey(func(event *fyne.KeyEvent) { passed = append(passed, event.Name) })
	for _, key := range keys {
		focused.TypedKey(&fyne.KeyEvent{Name: key})
	}
	canvas.SetOnTypedKey(before)
	return passed
}

// view returns the part of the window in which an object can be seen, and the place of the object.
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

// canBeReached reports whether something has had the keyboard, or is a part of what has had it and cannot have it itself.
func (w *Walker) canBeReached(object fyne.CanvasObject, around []fyne.CanvasObject) bool {
	if w.reached[object] {
		return true
	}
	inner, ok := object.(interface{ Inner() bool }) // the arrow keys lead there
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

// each calls do with everything in an object that can be seen and clicked, and with what it is in.
func (w *Walker) each(object fyne.CanvasObject, around []fyne.CanvasObject, do func(fyne.CanvasObject, []fyne.CanvasObject)) {
	w.eachIn(object, around, func(object fyne.CanvasObject, around []fyne.CanvasObject) {
		if kind(object) == "*widget.scrollBarArea" { // there are keys for pages
			return
		}
		disabled, _ := object.(fyne.Disableable)
		if _, tappable := object.(fyne.Tappable); tappable && !object.Size().IsZero() && (disabled == nil || !disabled.Disabled()) {
			do(object, around)
		}
	})
}

func (w *Walker) eachIn(object fyne.CanvasObject, around []fyne.CanvasObject, do func(fyne.CanvasObject, []fyne.CanvasObject)) {
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

// changed counts the points of a picture that another shows clearly otherwise: with a contrast of more than two.
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

// luminance is how light a colour is, as the guidelines for accessible content (WCAG) define it.
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
