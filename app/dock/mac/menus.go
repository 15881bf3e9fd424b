//go:build darwin || linux

package mac

// Limits of the menus that are read. GLFW's have three levels and a dozen entries.
const (
	maxMenuDepth = 4
	maxMenuItems = 100
)

// Translate changes the texts of the app's menus. GLFW makes them, in English. translate returns "" for a text that
// stays.
func (m *Mac) Translate(translate func(english string) string) {
	if m.english == nil {
		m.english = map[uintptr]title{}
	}
	m.translate(m.runtime.Send(m.app(), "mainMenu"), translate, maxMenuDepth)
}

// title is the text of a menu or an entry.
type title struct{ english, now string }

func (m *Mac) translate(menu uintptr, translate func(string) string, depth int) {
	if depth == 0 {
		return
	}
	for i := range min(m.runtime.Send(menu, "numberOfItems"), maxMenuItems) {
		item := m.runtime.Send(menu, "itemAtIndex:", i)
		m.retitle(item, translate)
		if submenu := m.runtime.Send(item, "submenu"); submenu != 0 {
			m.retitle(submenu, translate) // the menu bar shows this text, and not that of the entry
			m.translate(submenu, translate, depth-1)
		}
	}
}

// retitle changes the text of one menu or entry. It remembers what the text was, for the next language.
func (m *Mac) retitle(object uintptr, translate func(string) string) {
	was := m.runtime.Text(m.runtime.Send(object, "title"))
	known := m.english[object]
	if known.now != was { // it is new, or another one in the same place
		known.english = was
	}
	known.now = translate(known.english)
	if known.now == "" || known.now == was {
		return
	}
	m.english[object] = known
	text := m.newText(known.now)
	m.runtime.Send(object, "setTitle:", text)
	m.runtime.Send(text, "release")
}
