package objc

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"

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
	responds  func(class, selector uintptr) bool
}

func newWorld(t *testing.T) *world {
	t.Helper()
	opened, err := Open(gnu)
	if err != nil {
		t.Fatalf("%v; .ci/setup test installs it", err)
	}
	handle, err := purego.Dlopen(gnu, purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{Runtime: opened, t: t}
	purego.RegisterLibFunc(&w.newClass, handle, "objc_allocateClassPair")
	purego.RegisterLibFunc(&w.register, handle, "objc_registerClassPair")
	purego.RegisterLibFunc(&w.newObject, handle, "class_createInstance")
	purego.RegisterLibFunc(&w.responds, handle, "class_respondsToSelector")
	return w
}

// TestSetMethods checks that a class gets a new method and a replaced one, and that existing objects use them at once.
func TestSetMethods(t *testing.T) {
	w := newWorld(t)
	class := w.newClass(0, "Delegate", 0)
	w.register(class)
	var said []string
	method := func(selector, types string, result uintptr) Method {
		return Method{Selector: selector, Types: types, Do: func(_, _ uintptr) uintptr {
			said = append(said, selector)
			return result
		}}
	}
	if err := w.SetMethods("Delegate", method("shouldTerminate:", "Q@:@", 5)); err != nil {
		t.Fatal(err)
	}
	object := w.newObject(class, 0)
	if got := w.Send(object, "shouldTerminate:", 1); got != 5 {
		t.Errorf("its own method answers %d", got)
	}
	if w.responds(class, w.selector("shouldHandleReopen:hasVisibleWindows:")) {
		t.Error("it has the other method already")
	}
	if err := w.SetMethods("Delegate", method("shouldHandleReopen:hasVisibleWindows:", "B@:@B", 1),
		method("shouldTerminate:", "Q@:@", 0)); err != nil {
		t.Fatal(err)
	}
	said = nil
	if got := w.Send(object, "shouldHandleReopen:hasVisibleWindows:", 1, 0); got != 1 {
		t.Errorf("the new method answers %d", got)
	}
	if got := w.Send(object, "shouldTerminate:", 1); got != 0 {
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
	err := w.SetMethods("Opener", Method{Selector: "application:openURLs:", Types: "v@:@@",
		Do: func(first, second uintptr) uintptr {
			got = []uintptr{first, second}
			return 0
		}})
	if err != nil {
		t.Fatal(err)
	}
	w.Send(w.newObject(class, 0), "application:openURLs:", 7, 8)
	if len(got) != 2 || got[0] != 7 || got[1] != 8 {
		t.Errorf("it got %v", got)
	}
}

// TestTexts checks that the text of a string is read, that a message brings its arguments, and that nil answers with
// nothing.
func TestTexts(t *testing.T) {
	w := newWorld(t)
	class := w.newClass(0, "Text", 0)
	w.register(class)
	bytes := append([]byte("grüß dich"), 0)
	err := w.SetMethods("Text",
		Method{Selector: "UTF8String", Types: "*@:", Do: func(_, _ uintptr) uintptr { return uintptr(unsafe.Pointer(&bytes[0])) }},
		Method{Selector: "add:to:", Types: "Q@:QQ", Do: func(first, second uintptr) uintptr { return first + second }})
	if err != nil {
		t.Fatal(err)
	}
	object := w.newObject(class, 0)
	if got := w.Text(object); got != "grüß dich" {
		t.Errorf("the text is %q", got)
	}
	if got := w.Send(object, "add:to:", 3, 4); got != 7 {
		t.Errorf("3 and 4 are %d", got)
	}
	if got := w.Text(0); got != "" || w.Send(0, "add:to:", 3, 4) != 0 {
		t.Errorf("nil answers with %q", got)
	}
	runtime.KeepAlive(bytes)
}

// TestNothingThere checks that a missing class or library is an error.
func TestNothingThere(t *testing.T) {
	w := newWorld(t)
	if err := w.SetMethods("GLFWNothing", Method{Selector: "a", Types: "v@:", Do: func(_, _ uintptr) uintptr {
		return 0
	}}); err == nil || !strings.Contains(err.Error(), "GLFWNothing") {
		t.Errorf("a class that is not there: %v", err)
	}
	for library, want := range map[string]string{"libnothing.so.9": "libnothing.so.9", "libc.so.6": "libc.so.6"} {
		if _, err := Open(library); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", library, err)
		}
	}
}
