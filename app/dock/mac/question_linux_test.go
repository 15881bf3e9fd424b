package mac

import (
	"slices"
	"testing"
	"unsafe"
)

// TestRaise: a question's window gets above other apps and onto every Space, and the icon bounces until calm.
func TestRaise(t *testing.T) {
	a := newApple()
	got := map[string]uintptr{}
	takes := func(name string, result uintptr) func(uintptr, uintptr) uintptr {
		return func(first, _ uintptr) uintptr {
			got[name] = first
			return result
		}
	}
	window := a.newObject(a.class(t, "NSWindow", nil,
		messages{"setLevel:": takes("level", 0), "setCollectionBehavior:": takes("spaces", 0)}), 0)
	app := a.newObject(a.class(t, "NSApplication", nil,
		messages{"requestUserAttention:": takes("asks", 42), "cancelUserAttentionRequest:": takes("cancels", 0)}), 0)
	a.class(t, "NSApplication", messages{"sharedApplication": gives(app)}, nil)
	m := New(a.Runtime)
	m.Raise(window)
	if got["level"] != 3 || got["spaces"] != 1|256 {
		t.Errorf("the window gets %v", got)
	}
	calm := m.Bounce()
	if kind, asked := got["asks"]; !asked || kind != 0 {
		t.Errorf("the attention asked for is %v", got)
	}
	calm()
	if got["cancels"] != 42 {
		t.Errorf("cancelled is %d", got["cancels"])
	}
}

// TestStayAwake: an activity begins, is kept, and ends once.
func TestStayAwake(t *testing.T) {
	a := newApple()
	var said []string
	says := func(what string, result uintptr) func(uintptr, uintptr) uintptr {
		return func(uintptr, uintptr) uintptr {
			said = append(said, what)
			return result
		}
	}
	texts := a.made(t)
	activity := a.newObject(a.class(t, "Activity", nil, messages{"release": says("release", 0)}), 0)
	a.class(t, "Activity", nil, messages{"retain": says("retain", activity)})
	var options uintptr
	info := a.newObject(a.class(t, "NSProcessInfo", nil,
		messages{"beginActivityWithOptions:reason:": func(first, second uintptr) uintptr {
			options = first
			said = append(said, texts[second])
			return activity
		}, "endActivity:": says("end", 0)}), 0)
	a.class(t, "NSProcessInfo", messages{"processInfo": gives(info)}, nil)
	end := New(a.Runtime).StayAwake("apps")
	end()
	if want := []string{"apps", "retain", "end", "release"}; !slices.Equal(said, want) || options != 0xefffff {
		t.Errorf("%q with %x, want %q", said, options, want)
	}
}

// made has a class NSString whose objects are the texts that were made.
func (a *apple) made(t *testing.T) map[uintptr]string {
	t.Helper()
	texts := map[uintptr]string{}
	// Messages here do not know their object, so each alloc makes a class for one text.
	number := 0
	a.class(t, "NSString", messages{"alloc": func(uintptr, uintptr) uintptr {
		number++
		name := "NSString" + string(rune('A'-1+number))
		var object uintptr
		object = a.newObject(a.class(t, name, nil,
			messages{"release": gives(0), "initWithUTF8String:": func(text, _ uintptr) uintptr {
				texts[object] = cText(text)
				return object
			}}), 0)
		return object
	}}, nil)
	return texts
}

// cText returns a text that ends with a zero.
func cText(at uintptr) string {
	var text []byte
	for p := *(*unsafe.Pointer)(unsafe.Pointer(&at)); *(*byte)(p) != 0; p = unsafe.Add(p, 1) {
		text = append(text, *(*byte)(p))
	}
	return string(text)
}
