package mac

import (
	"testing"
	"unsafe"
)

// TestTranslate: texts of menus get into the language of the window, also into another one later; others stay.
func TestTranslate(t *testing.T) {
	a := newApple()
	texts := a.made(t)
	shown := map[string]string{"File": "Window", "Entry": "Minimize", "Own": "Mine"}
	kept := map[string][]byte{}
	// object makes a menu or an entry with a text. Its class has its name, since messages here do not know their object.
	object := func(name string, more messages) uintptr {
		title := a.newObject(a.class(t, name+"Title", nil, messages{"UTF8String": func(uintptr, uintptr) uintptr {
			kept[name] = append([]byte(shown[name]), 0)
			return uintptr(unsafe.Pointer(&kept[name][0]))
		}}), 0)
		class := a.class(t, name, nil,
			messages{"title": gives(title), "submenu": gives(0), "setTitle:": func(text, _ uintptr) uintptr {
				shown[name] = texts[text]
				return 0
			}})
		a.class(t, name, nil, more)
		return a.newObject(class, 0)
	}
	menuOf := func(items ...uintptr) messages {
		return messages{"numberOfItems": gives(uintptr(len(items))), "itemAtIndex:": func(i, _ uintptr) uintptr {
			return items[i]
		}}
	}
	submenu := object("File", menuOf(object("Entry", nil), object("Own", nil)))
	bar := object("Bar", menuOf(object("Top", messages{"submenu": gives(submenu)})))
	app := a.newObject(a.class(t, "NSApplication", nil, messages{"mainMenu": gives(bar)}), 0)
	a.class(t, "NSApplication", messages{"sharedApplication": gives(app)}, nil)
	m := New(a.Runtime)
	for _, language := range []map[string]string{{"Window": "Fenster", "Minimize": "Ablegen"},
		{"Window": "Ventana", "Minimize": "Minimizar"}, {"Window": "Window", "Minimize": "Minimize"}} {
		m.Translate(func(english string) string { return language[english] })
		if shown["File"] != language["Window"] || shown["Entry"] != language["Minimize"] || shown["Own"] != "Mine" {
			t.Errorf("in %v: %v", language, shown)
		}
	}
	clear(texts)
}
