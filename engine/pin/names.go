package pin

import (
	"strings"
	"unicode"

	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Names are the names of other servers' tools, to find what imitates them.
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

// imitated returns the name that another one looks like without being it. That two servers have tools of one name is no imitation, and
// neither is a name that is the same but for capital letters.
func (n *Names) imitated(name string) (string, bool) {
	if n == nil || len(name) > 2*maxName || n.exact[name] {
		return "", false
	}
	other, ok := n.looks[skeleton(name)]
	return other, ok && !strings.EqualFold(name, other)
}

// Letters that are drawn like a Latin one, and that one, in small letters.
const (
	drawnLike = "аеорсухіјѕԁһԛԝкмтвнαεορνυικτχγıɑɡꞵⅼ01i|"
	drawnAs   = "aeopcyxijsdhqwkmtbhaeopvuiktxyiagblolll"
)

// skeleton returns what a name looks like: names that are hard to tell apart have the same.
func skeleton(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r >= 0xFF01 && r <= 0xFF5E: // wide letters
			r -= 0xFEE0
		case r >= 0x1D400 && r <= 0x1D6A3: // mathematical letters, in alphabets of 52
			at := (r - 0x1D400) % 52
			if r = 'A' + at; at >= 26 {
				r = 'a' + at - 26
			}
		}
		r = unicode.ToLower(r)
		for { // a Cyrillic "і" looks like an "i", and that like an "l"
			at := strings.IndexRune(drawnLike, r)
			if at < 0 {
				return r
			}
			r = rune(drawnAs[len([]rune(drawnLike[:at]))])
		}
	}, visible.Without(name))
	return strings.ReplaceAll(strings.ReplaceAll(name, "rn", "m"), "vv", "w")
}
