package mac

import (
	"sync"
	"testing"

	"github.com/ebitengine/purego"

	"github.com/workbench-mcp/workbench-desktop/app/dock/objc"
)

// apple is GNU's runtime with classes that stand in for Apple's.
type apple struct {
	*objc.Runtime
	newClass  func(super uintptr, name string, extra uintptr) uintptr
	register  func(class uintptr)
	newObject func(class, extra uintptr) uintptr
	meta      func(name string) uintptr
	replace   func(class, selector, method uintptr, types string) uintptr
	selector  func(name string) uintptr
}

// newApple opens the runtime. A class lasts as long as the process, so there is one runtime for all tests.
var newApple = sync.OnceValue(func() *apple {
	const gnu = "libobjc.so.4"
	runtime, err := objc.Open(gnu)
	if err != nil {
		panic(err) // .ci/setup test installs it
	}
	handle, err := purego.Dlopen(gnu, purego.RTLD_NOW)
	if err != nil {
		panic(err)
	}
	a := &apple{Runtime: runtime}
	purego.RegisterLibFunc(&a.newClass, handle, "objc_allocateClassPair")
	purego.RegisterLibFunc(&a.register, handle, "objc_registerClassPair")
	purego.RegisterLibFunc(&a.newObject, handle, "class_createInstance")
	purego.RegisterLibFunc(&a.meta, handle, "objc_getMetaClass")
	purego.RegisterLibFunc(&a.replace, handle, "class_replaceMethod")
	purego.RegisterLibFunc(&a.selector, handle, "sel_registerName")
	return a
})

// messages are what a class answers to messages.
type messages map[string]func(first, second uintptr) uintptr

// class makes a class, or takes the one of this name, and has it answer messages. Objects of it answer the messages of
// instances.
func (a *apple) class(t *testing.T, name string, own, instances messages) uintptr {
	t.Helper()
	class := a.Class(name)
	if class == 0 {
		class = a.newClass(0, name, 0)
		a.register(class)
	}
	for of, answers := range map[uintptr]messages{a.meta(name): own, class: instances} {
		for message, answer := range answers {
			callback := purego.NewCallback(func(_, _, first, second, _ uintptr) uintptr { return answer(first, second) })
			a.replace(of, a.selector(message), callback, "@@:@@")
		}
	}
	return class
}

// gives returns an answer that is always the same.
func gives(result uintptr) func(uintptr, uintptr) uintptr {
	return func(uintptr, uintptr) uintptr { return result }
}
