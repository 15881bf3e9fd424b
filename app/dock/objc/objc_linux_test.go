package objc

import (
	"strings"
	"testing"

	"github.com/ebitengine/purego"
)

// gnu is GNU's runtime, which .ci/setup installs.
const gnu = "libobjc.so.4"

// world is a runtime and what a test needs of it.
type world struct {
	*Runtime
	t         *testing.T
	newClass  func(super uintptr, name string, extra uintptr) uintptr
	register  func(class uintptr)
	newObject func(class, extra uintptr) uintptr
	method    func(object, selector uintptr) uintptr
	responds  func(class, selector uintptr) bool
}

func newWorld(t *testing.T) *world {
	t.Helper()
	runtime, err := Open(gnu)
	if err != nil {
		t.Fatalf("%v; .ci/setup test installs it", err)
	}
	handle, err := purego.Dlopen(gnu, purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{Runtime: runtime, t: t}
	purego.RegisterLibFunc(&w.newClass, handle, "objc_allocateClassPair")
	purego.RegisterLibFunc(&w.register, handle, "objc_registerClassPair")
	purego.RegisterLibFunc(&w.newObject, handle, "class_createInstance")
	purego.RegisterLibFunc(&w.method, handle, "objc_msg_lookup")
	purego.RegisterLibFunc(&w.responds, handle, "class_respondsToSelector")
	return w
}

// send sends a message to an object.
func (w *world) send(object uintptr, message string, arguments ...uintptr) uintptr {
	selector := w.selector(message)
	result, _, _ := purego.SyscallN(w.method(object, selector), append([]uintptr{object, selector}, arguments...)...)
	return result
}

// TestSetMethods checks that a class gets a new method and a replaced one, and that existing objects use them at once.
func TestSetMethods(t *testing.T) {
	w := newWorld(t)
	class := w.newClass(0, "Delegate", 0)
	w.register(class)
	var said []string
	method := func(selector, types string, result uintptr) Method {
		return Method{Selector: selector, Types: types, Do: func() uintptr {
			said = append(said, selector)
			return result
		}}
	}
	if err := w.SetMethods("Delegate", method("shouldTerminate:", "Q@:@", 5)); err != nil {
		t.Fatal(err)
	}
	object := w.newObject(class, 0)
	if got := w.send(object, "shouldTerminate:", 1); got != 5 {
		t.Errorf("its own method answers %d", got)
	}
	if w.responds(class, w.selector("shouldHandleReopen:hasVisibleWindows:")) {
		t.Error("it has the other method already")
	}
	if err := w.SetMethods("Delegate", method("shouldHandleReopen:hasVisibleWindows:", "B@:@B", 1), method("shouldTerminate:", "Q@:@", 0)); err != nil {
		t.Fatal(err)
	}
	said = nil
	if got := w.send(object, "shouldHandleReopen:hasVisibleWindows:", 1, 0); got != 1 {
		t.Errorf("the new method answers %d", got)
	}
	if got := w.send(object, "shouldTerminate:", 1); got != 0 {
		t.Errorf("the method instead of its own answers %d", got)
	}
	if got := strings.Join(said, " "); got != "shouldHandleReopen:hasVisibleWindows: shouldTerminate:" {
		t.Errorf("called were %q", got)
	}
}

// TestArguments checks that a method gets its arguments.
func TestArguments(t *testing.T) {
	w := newWorld(t)
	class := w.newClass(0, "Opener", 0)
	w.register(class)
	var got []uintptr
	err := w.SetMethods("Opener", Method{Selector: "application:openURLs:", Types: "v@:@@", Take: func(first, second uintptr) uintptr {
		got = []uintptr{first, second}
		return 0
	}})
	if err != nil {
		t.Fatal(err)
	}
	w.send(w.newObject(class, 0), "application:openURLs:", 7, 8)
	if len(got) != 2 || got[0] != 7 || got[1] != 8 {
		t.Errorf("it got %v", got)
	}
}

// TestNothingThere checks that a missing class or library is an error.
func TestNothingThere(t *testing.T) {
	w := newWorld(t)
	if err := w.SetMethods("GLFWNothing", Method{Selector: "a", Types: "v@:", Do: func() uintptr { return 0 }}); err == nil || !strings.Contains(err.Error(), "GLFWNothing") {
		t.Errorf("a class that is not there: %v", err)
	}
	for library, want := range map[string]string{"libnothing.so.9": "libnothing.so.9", "libc.so.6": "libc.so.6"} {
		if _, err := Open(library); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", library, err)
		}
	}
}
