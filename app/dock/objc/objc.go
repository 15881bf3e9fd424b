//go:build darwin || linux

// Package objc adds methods written in Go to Objective-C classes, without cgo. So the compiler checks it on every system, and its test runs on Linux
// with GNU's runtime, which has the same functions.
package objc

import (
	"fmt"

	"github.com/ebitengine/purego"
)

// Method is called when an object of a class receives a message: Do, or Take with the first two arguments.
type Method struct {
	Selector string         // the message, with a colon for each argument; at most three
	Types    string         // the types of the result, of the object and the selector (always "@:"), and of the arguments, in Objective-C's encoding
	Do       func() uintptr // returns the result, a number or nothing
	Take     func(first, second uintptr) uintptr
}

// Runtime is the library that knows all classes of the program.
type Runtime struct {
	class    func(name string) uintptr
	selector func(name string) uintptr
	replace  func(class, selector, method uintptr, types string) uintptr
}

// Open opens the runtime in a library.
func Open(library string) (*Runtime, error) {
	handle, err := purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", library, err)
	}
	r := &Runtime{}
	for name, function := range map[string]any{"objc_getClass": &r.class, "sel_registerName": &r.selector, "class_replaceMethod": &r.replace} {
		address, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, fmt.Errorf("looking for %s in %s: %w", name, library, err)
		}
		purego.RegisterFunc(function, address)
	}
	return r, nil
}

// SetMethods adds methods to a class or replaces existing ones. It returns an error if there is no such class.
func (r *Runtime) SetMethods(class string, methods ...Method) error {
	found := r.class(class)
	if found == 0 {
		return fmt.Errorf("there is no class %s", class)
	}
	for _, method := range methods {
		// Arguments that the message does not have contain whatever is in their registers. They are ignored.
		code := purego.NewCallback(func(_, _, first, second, _ uintptr) uintptr {
			if method.Take != nil {
				return method.Take(first, second)
			}
			return method.Do()
		})
		r.replace(found, r.selector(method.Selector), code, method.Types)
	}
	return nil
}
