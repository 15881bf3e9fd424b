package pin

import (
	"strings"
	"unicode"

	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Names are the names of other servers' tools, for finding names that imitate them.
type Names struct {
	exact map[string]bool
	looks map[string]string // by skeleton
}

// NewNames returns the names of tools that others may imitate.
func NewNames(names []string) *Names {
	n := &Names{exact: make(map[string]bool, len(names)), looks: make(map[string]string, len(names))}
	for _, name := range names {
		if len(name) <= maxName {
			n.exact[name] = true
			n.looks[skeleton(name)] = name
		}
	}
	return n
}

// imitated returns the name that another name imitates. Equal names, and names that differ only in case, are
// no imitations.
func (n *Names) imitated(name string) (string, bool) {
	if n == nil || len(name) > 2*maxName || n.exact[name] {
		return "", false
	}
	other, ok := n.looks[skeleton(name)]
	return other, ok && !strings.EqualFold(name, other)
}

// Letters that look like a Latin letter, and that letter, in lower case.
const (
	drawnLike = "аеорсухіјѕԁһԛԝкмтвнαεορνυικτχγıɑɡꞵⅼ01i|"
	drawnAs   = "aeopcyxijsdhqwkmtbhaeopvuiktxyiagblolll"
)

// skeleton returns a text that is the same for names that are hard to distinguish.
func skeleton(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r >= 0xFF01 && r <= 0xFF5E: // full-width letters
			r -= 0xFEE0
		case r >= 0x1D400 && r <= 0x1D6A3: // mathematical letters, in alphabets of 52
			at := (r - 0x1D400) % 52
			if r = 'A' + at; at >= 26 {
				r = 'a' + at - 26
			}
		}
		r = unicode.ToLower(r)
		for { // repeated: a Cyrillic "і" looks like an "i", and that like an "l"
			at := strings.IndexRune(drawnLike, r)
			if at < 0 {
				return r
			}
			r = rune(drawnAs[len([]rune(drawnLike[:at]))])
		}
	}, visible.Without(name))
	return strings.ReplaceAll(strings.ReplaceAll(name, "rn", "m"), "vv", "w")
}
