//go:build darwin || linux

// Package objc adds methods written in Go to Objective-C classes, without cgo. So it also compiles on Linux, and its
// test runs there with GNU's runtime, which has the same functions.
package objc

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Method handles a message to an object of a class.
type Method struct {
	// the name of the message, with a colon for each argument; at most three arguments
	Selector string
	// in Objective-C's encoding: the types of the result, the object and the selector ("@:"), and the arguments
	Types string
	// Do returns the result of the message. It is called with the first two arguments. Those that the message lacks hold
	// arbitrary values.
	Do func(first, second uintptr) uintptr
}

// Runtime gives access to Objective-C's runtime, the library that knows all classes of the program.
type Runtime struct {
	// the addresses of functions of the library
	getClass, registerName, replaceMethod uintptr

	send uintptr // Apple's function that sends any message; 0 in GNU's runtime
	find uintptr // GNU's function that finds the method for a message; 0 in Apple's runtime
}

// Open opens the runtime in a library. library is the name of its file.
func Open(library string) (*Runtime, error) {
	handle, err := purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", library, err)
	}
	r := &Runtime{}
	for name, address := range map[string]*uintptr{"objc_getClass": &r.getClass, "sel_registerName": &r.registerName,
		"class_replaceMethod": &r.replaceMethod} {
		if *address, err = purego.Dlsym(handle, name); err != nil {
			return nil, fmt.Errorf("looking for %s in %s: %w", name, library, err)
		}
	}
	if r.send, err = purego.Dlsym(handle, "objc_msgSend"); err != nil {
		if r.find, err = purego.Dlsym(handle, "objc_msg_lookup"); err != nil {
			return nil, fmt.Errorf("looking for objc_msgSend in %s: %w", library, err)
		}
	}
	return r, nil
}

// call calls a function of the library.
func call(function uintptr, arguments ...uintptr) uintptr {
	result, _, _ := purego.SyscallN(function, arguments...)
	return result
}

// named calls a function of the library that takes a name.
func named(function uintptr, name string) uintptr {
	text := append([]byte(name), 0)
	result, _, _ := purego.SyscallN(function, uintptr(unsafe.Pointer(&text[0])))
	return result
}

// Class returns a class, which is an object too; 0 if there is none of this name.
func (r *Runtime) Class(name string) uintptr { return named(r.getClass, name) }

func (r *Runtime) selector(name string) uintptr { return named(r.registerName, name) }

// Send sends a message to an object, and returns the result. The arguments and the result are whole numbers or
// objects, no fractions and no structs. Of a BOOL only the lowest byte counts. Nil answers every message with 0, as in
// Objective-C.
func (r *Runtime) Send(object uintptr, message string, arguments ...uintptr) uintptr {
	if object == 0 {
		return 0
	}
	selector := r.selector(message)
	return call(r.method(object, selector), append([]uintptr{object, selector}, arguments...)...)
}

// method returns the function to call for a message to an object.
func (r *Runtime) method(object, selector uintptr) uintptr {
	if r.send != 0 {
		return r.send
	}
	return call(r.find, object, selector)
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
	found := r.Class(class)
	if found == 0 {
		return fmt.Errorf("there is no class %s", class)
	}
	for _, method := range methods {
		code := purego.NewCallback(func(_, _, first, second, _ uintptr) uintptr { return method.Do(first, second) })
		types := append([]byte(method.Types), 0)
		purego.SyscallN(r.replaceMethod, found, r.selector(method.Selector), code, uintptr(unsafe.Pointer(&types[0])))
	}
	return nil
}
