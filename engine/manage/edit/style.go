package edit

import (
	"bytes"
	"strings"
)

// role is what an object or array is in the file. Things of one role are written alike.
type role string

const (
	roleOther     role = ""
	roleRoot      role = "root"
	roleToolboxes role = "toolboxes"
	roleToolbox   role = "toolbox"
	roleServers   role = "mcpServers"
	roleServer    role = "server"
	roleEnv       role = "env"
	roleHeaders   role = "headers"
	roleArgs      role = "args"
	roleFilters   role = "toolFilters"
)

// member returns the role of what an object has under a key.
func (r role) member(key string) role {
	switch {
	case r == roleRoot && key == "toolboxes":
		return roleToolboxes
	case r == roleToolboxes:
		return roleToolbox
	case r == roleToolbox && key == "mcpServers":
		return roleServers
	case r == roleServers:
		return roleServer
	case r == roleServer:
		switch known := role(key); known {
		case roleEnv, roleHeaders, roleArgs, roleFilters:
			return known
		}
	}
	return roleOther
}

// isField tells whether a role is that of a field's value.
func (r role) isField() bool {
	switch r {
	case roleOther, roleEnv, roleHeaders, roleArgs, roleFilters:
		return true
	}
	return false
}

// shape says how objects or arrays of a role are written.
type shape struct {
	lines bool // one member a line
	comma bool // with a comma after the last
}

// tally counts how objects or arrays are written.
type tally struct{ inline, lines, comma int }

// style is how a file is written, for what is put into it.
type style struct {
	newline string
	unit    string // one step of indentation
	colon   string // between a name and its value
	gap     string // after a comma on a line

	objectPad, arrayPad string // inside brackets on a line

	oneLine bool
	all     tally
	roles   map[role]*tally
}

// newStyle looks at a whole file.
func newStyle(text []byte, root *node) *style {
	st := &style{newline: "\n", roles: map[role]*tally{}}
	if crlf := bytes.Count(text, []byte("\r\n")); 2*crlf > bytes.Count(text, []byte("\n")) {
		st.newline = "\r\n"
	}
	var seen seenStyle
	st.look(root, roleRoot, &seen)
	boxes := root.index("toolboxes")
	// A file that has nothing in it yet says little about how a full one should look.
	st.oneLine = !bytes.Contains(root.raw(), []byte("\n")) && boxes >= 0 && len(root.kids()[boxes].kids()) > 0
	st.unit = orElse(seen.unit, "  ")
	st.colon = orElse(seen.colon, ": ")
	compact := seen.colon != nil && *seen.colon == ":"
	st.gap, st.objectPad, st.arrayPad = " ", " ", ""
	if compact {
		st.gap, st.objectPad = "", ""
	}
	st.gap = orElse(seen.gap, st.gap)
	st.objectPad = orElse(seen.objectPad, st.objectPad)
	st.arrayPad = orElse(seen.arrayPad, st.arrayPad)
	return st
}

// seenStyle holds what was found first, if anything.
type seenStyle struct {
	unit, colon, gap, objectPad, arrayPad *string

	looked int // at so many objects and arrays
}

// maxLooked is how many objects and arrays are looked at. The rest of a large file is no different.
const maxLooked = 500

func orElse(seen *string, other string) string {
	if seen != nil {
		return *seen
	}
	return other
}

func (st *style) look(n *node, r role, seen *seenStyle) {
	kids := n.kids()
	if seen.looked++; len(kids) == 0 || seen.looked > maxLooked {
		return
	}
	count := st.roles[r]
	if count == nil {
		count = &tally{}
		st.roles[r] = count
	}
	see := func(to **string, s string, ok bool) {
		if *to == nil && ok {
			*to = &s
		}
	}
	if kids[0].startsLine() {
		count.lines++
		st.all.lines++
		if kids[len(kids)-1].comma >= 0 {
			count.comma++
			st.all.comma++
		}
		if seen.unit == nil {
			unit, ok := n.unit()
			see(&seen.unit, unit, ok)
		}
	} else {
		count.inline++
		st.all.inline++
		pad := string(n.text[n.value.start+1 : kids[0].first()])
		see(map[bool]**string{true: &seen.objectPad, false: &seen.arrayPad}[n.kind() == '{'], pad, strings.Trim(pad, " ") == "")
		if len(kids) > 1 {
			gap := string(n.text[kids[1].gap:kids[1].first()])
			see(&seen.gap, gap, strings.Trim(gap, " \t") == "")
		}
	}
	for _, kid := range kids {
		if n.kind() == '{' {
			if seen.colon == nil {
				colon, ok := kid.colon()
				see(&seen.colon, colon, ok)
			}
			if next := r.member(kid.key); next != roleOther && seen.looked < maxLooked {
				st.look(kid, next, seen)
			}
		}
	}
}

// colon returns what is between a member's name and its value, unless that is unusual.
func (n *node) colon() (string, bool) {
	text := string(n.text[n.name.end:n.value.start])
	return text, strings.Trim(text, " ") == ":"
}

// unit returns by how much the children of a node are indented further than itself.
func (n *node) unit() (string, bool) {
	for _, kid := range n.kids() {
		if kid.startsLine() {
			unit, ok := strings.CutPrefix(indentation(n.text, kid.first()), indentation(n.text, n.value.start))
			return unit, ok && unit != ""
		}
	}
	return "", false
}

// unitOf returns the indentation step that is used in and around a container.
func (st *style) unitOf(n *node) string {
	for _, kid := range n.kids() {
		if unit, ok := kid.unit(); ok {
			return unit
		}
	}
	if unit, ok := n.unit(); ok {
		return unit
	}
	return st.unit
}

func (st *style) colonOf(n *node) string {
	for _, kid := range n.kids() {
		if colon, ok := kid.colon(); ok {
			return colon
		}
	}
	return st.colon
}

func (st *style) pad(kind byte) string {
	if kind == '{' {
		return st.objectPad
	}
	return st.arrayPad
}

// shape returns how an object or array of a role is to be written.
func (st *style) shape(r role) shape {
	out := shape{lines: !st.oneLine, comma: 2*st.all.comma > st.all.lines}
	if st.oneLine {
		return shape{}
	}
	count := st.roles[r]
	switch {
	case count != nil:
		out.lines = count.lines >= count.inline
		if count.lines > 0 {
			out.comma = 2*count.comma > count.lines
		}
	case r == roleArgs || r == roleFilters || r == roleOther:
		out.lines = false
	case r == roleEnv && st.roles[roleHeaders] != nil:
		return st.shape(roleHeaders)
	case r == roleHeaders && st.roles[roleEnv] != nil:
		return st.shape(roleEnv)
	}
	return out
}
