package mac

import (
	"testing"
	"unsafe"
)

// TestSessionEnds checks which requests to quit come from the end of the session.
func TestSessionEnds(t *testing.T) {
	a := newApple()
	var event, id, reason uintptr
	var keyword uintptr
	made := a.newObject(a.class(t, "NSAppleEventDescriptor", nil, messages{
		"eventID": func(uintptr, uintptr) uintptr { return id },
		"attributeDescriptorForKeyword:": func(asked, _ uintptr) uintptr {
			keyword = asked
			return reason
		},
	}), 0)
	manager := a.newObject(a.class(t, "NSAppleEventManager", messages{"sharedAppleEventManager": gives(0)}, messages{
		"currentAppleEvent": func(uintptr, uintptr) uintptr { return event },
	}), 0)
	m := New(a.Runtime)
	if m.SessionEnds() {
		t.Error("without a manager of events the session ends")
	}
	a.class(t, "NSAppleEventManager", messages{"sharedAppleEventManager": gives(manager)}, nil)
	for name, c := range map[string]struct {
		event, id, reason uintptr
		want              bool
	}{
		"Quit in the menu":   {},
		"Quit in the Dock":   {event: made, id: 0x71756974},
		"logging out":        {event: made, id: 0x71756974, reason: made, want: true},
		"another event":      {event: made, id: 0x6f617070, reason: made},
		"high bits are junk": {event: made, id: 0x71756974 | 1<<40, reason: made, want: true},
	} {
		event, id, reason = c.event, c.id, c.reason
		if got := m.SessionEnds(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if keyword != 0x7768793f { // "why?"
		t.Errorf("asked for the keyword %x", keyword)
	}
}

// TestFirstAddress checks what is read from an array of addresses.
func TestFirstAddress(t *testing.T) {
	a := newApple()
	text := append([]byte("workbench://add?name=x"), 0)
	object := func(class, message string, result uintptr) uintptr {
		return a.newObject(a.class(t, class, nil, messages{message: gives(result)}), 0)
	}
	array := object("NSArray", "firstObject",
		object("NSURL", "absoluteString", object("NSString", "UTF8String", uintptr(unsafe.Pointer(&text[0])))))
	m := New(a.Runtime)
	if got := m.FirstAddress(array); got != "workbench://add?name=x" {
		t.Errorf("the address is %q", got)
	}
	if got := m.FirstAddress(object("NSArray", "firstObject", 0)); got != "" {
		t.Errorf("of an empty array: %q", got)
	}
	if got := m.FirstAddress(0); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}
