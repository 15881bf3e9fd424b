//go:build darwin || linux

// Package objc adds methods written in Go to Objective-C classes, without cgo. So it also compiles on Linux, and its
// test runs there with GNU's runtime, which has the same functions.
package objc

import (
	"fmt"

	"github.com/ebitengine/purego"
)

// Method handles a message to an object of a class. It has either Do or Take, which returns the result of the message.
type Method struct {
	// the name of the message, with a colon for each argument; at most three arguments
	Selector string
	// in Objective-C's encoding: the types of the result, the object and the selector ("@:"), and the arguments
	Types string
	Do    func() uintptr                      // called without the arguments
	Take  func(first, second uintptr) uintptr // called with the first two arguments
}

// Runtime gives access to Objective-C's runtime, the library that knows all classes of the program.
type Runtime struct {
	class    func(name string) uintptr
	selector func(name string) uintptr
	replace  func(class, selector, method uintptr, types string) uintptr

	send uintptr                                // Apple's function that sends any message; 0 in GNU's runtime
	find func(object, selector uintptr) uintptr // GNU's function that finds the method for a message
}

// Open opens the runtime in a library. library is the name of its file.
func Open(library string) (*Runtime, error) {
	handle, err := purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", library, err)
	}
	r := &Runtime{}
	for name, function := range map[string]any{"objc_getClass": &r.class, "sel_registerName": &r.selector,
		"class_replaceMethod": &r.replace} {
		address, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, fmt.Errorf("looking for %s in %s: %w", name, library, err)
		}
		purego.RegisterFunc(function, address)
	}
	if r.send, err = purego.Dlsym(handle, "objc_msgSend"); err != nil {
		address, err := purego.Dlsym(handle, "objc_msg_lookup")
		if err != nil {
			return nil, fmt.Errorf("looking for objc_msgSend in %s: %w", library, err)
		}
		purego.RegisterFunc(&r.find, address)
	}
	return r, nil
}

// Class returns a class, which is an object too; 0 if there is none of this name.
func (r *Runtime) Class(name string) uintptr { return r.class(name) }

// Send sends a message to an object, and returns the result. The arguments and the result are whole numbers or
// objects, no fractions and no structs. Of a BOOL only the lowest byte counts. Nil answers every message with 0, as in
// Objective-C.
func (r *Runtime) Send(object uintptr, message string, arguments ...uintptr) uintptr {
	if object == 0 {
		return 0
	}
	selector := r.selector(message)
	result, _, _ := purego.SyscallN(r.method(object, selector), append([]uintptr{object, selector}, arguments...)...)
	return result
}

// method returns the function to call for a message to an object.
func (r *Runtime) method(object, selector uintptr) uintptr {
	if r.send != 0 {
		return r.send
	}
	return r.find(object, selector)
}

// Text returns the text of an NSString; "" for nil.
func (r *Runtime) Text(object uintptr) string {
	if object == 0 {
		return ""
	}
	selector := r.selector("UTF8String")
	var text func(object, selector uintptr) string
	purego.RegisterFunc(&text, r.method(object, selector))
	return text(object, selector)
}

// SetMethods adds methods to a class or replaces existing ones. It returns an error if there is no such class.
func (r *Runtime) SetMethods(class string, methods ...Method) error {
	found := r.class(class)
	if found == 0 {
		return fmt.Errorf("there is no class %s", class)
	}
	for _, method := range methods {
		// If the message has fewer arguments, the other parameters hold arbitrary values. Take must not use them.
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
