package jsonc

import "strings"

// Form describes how values at one kind of place in a file are written, so that new text looks like the
// existing text. Values with the same form are written alike, and the first ones in a file show how. A form
// is not changed after it was made, and it may contain itself. Nil is the form of unknown values.
type Form struct {
	Members map[string]*Form // of the members with these names
	Each    *Form            // of all other members, and of elements
	Order   []string         // the usual order of members

	Inline bool  // on one line, unless the file shows otherwise
	Field  bool  // on one line if it is empty and on the line of its container
	Like   *Form // the form whose style is used if the file has no value of this form

	// Lenient allows an object to have a name twice if another member is meant, as the programs that read
	// such files do. It applies to the form of a whole file.
	Lenient bool

	// KeepComments makes Remove keep the comments of what it removes. It applies to the form of a whole file.
	KeepComments bool

	// Plain writes new text in the style that most programs use for JSON, whatever the style of the file:
	// "name": value, and no comma after the last member. It applies to the form of a whole file.
	Plain bool

	// Skeleton is the initial content of an empty file; "" if an empty file is refused. It applies to the
	// form of a whole file.
	Skeleton string
}

// member returns the form of a member of a value of this form, or of an element.
func (f *Form) member(key string) *Form {
	if f == nil {
		return nil
	}
	if form, ok := f.Members[key]; ok {
		return form
	}
	return f.Each
}

// at returns the form of the value at a path.
func (f *Form) at(path Path) *Form {
	for _, step := range path {
		f = f.member(step.Key)
	}
	return f
}

func (f *Form) field() bool { return f == nil || f.Field }

// shape says how objects or arrays of a form are written.
type shape struct {
	lines bool // one member on each line
	comma bool // with a comma after the last
}

// tally counts how objects or arrays are written.
type tally struct{ inline, lines, comma int }

// style is how new text in a file is written.
type style struct {
	newline string
	unit    string // one step of indentation
	colon   string // between a name and its value
	gap     string // after a comma on a line

	objectPad, arrayPad string // inside brackets on a line

	oneLine bool
	plain   bool
	all     tally
	forms   map[*Form]*tally
}

// newStyle determines the style of a file.
func newStyle(root *Node, form *Form) *style {
	text := root.doc.text
	st := &style{newline: "\n", forms: map[*Form]*tally{}}
	if crlf := strings.Count(text, "\r\n"); 2*crlf > strings.Count(text, "\n") {
		st.newline = "\r\n"
	}
	var seen seenStyle
	st.look(root, form, &seen)
	// An empty file says little about the style of a full one.
	st.oneLine = !strings.Contains(root.Raw(), "\n") && seen.nested
	st.unit = orElse(seen.unit, "  ")
	st.colon = orElse(seen.colon, ": ")
	if form != nil && form.Plain {
		st.plain, st.colon, st.gap = true, ": ", " "
		return st
	}
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

// seenStyle has what was found first.
type seenStyle struct {
	unit, colon, gap, objectPad, arrayPad *string

	looked int  // the number of objects and arrays that were examined
	nested bool // there is a non-empty one below the root
}

// maxLooked is how many objects and arrays are examined. The rest of a large file will look the same.
const maxLooked = 500

func orElse(seen *string, other string) string {
	if seen != nil {
		return *seen
	}
	return other
}

// look examines a value and what is in it, and notes in seen what is found first.
func (st *style) look(n *Node, form *Form, seen *seenStyle) {
	kids := n.Children
	if seen.looked++; len(kids) == 0 || seen.looked > maxLooked {
		return
	}
	seen.nested = seen.nested || seen.looked > 1
	count := st.forms[form]
	if count == nil {
		count = &tally{}
		if form != nil { // unknown values have little in common
			st.forms[form] = count
		}
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
		to := &seen.arrayPad
		if n.Kind == Object {
			to = &seen.objectPad
		}
		pad := n.doc.text[n.Start+1 : kids[0].First()]
		see(to, pad, strings.Trim(pad, " ") == "")
		if len(kids) > 1 {
			gap := n.doc.text[kids[1].gap:kids[1].First()]
			see(&seen.gap, gap, strings.Trim(gap, " \t") == "")
		}
	}
	if n.Kind != Object {
		return
	}
	for _, kid := range kids {
		if seen.colon == nil {
			colon, ok := kid.colon()
			see(&seen.colon, colon, ok)
		}
		if next := form.member(kid.Key); next != nil && seen.looked < maxLooked {
			st.look(kid, next, seen)
		}
	}
}

// colon returns the text between a member's name and its value. ok is false if it is unusual.
func (n *Node) colon() (string, bool) {
	text := n.doc.text[n.Name.End:n.Start]
	return text, strings.Trim(text, " ") == ":"
}

// unit returns how much further than the node itself its children are indented.
func (n *Node) unit() (string, bool) {
	for _, kid := range n.Children {
		if kid.startsLine() {
			unit, ok := strings.CutPrefix(Indentation(n.doc.text, kid.First()), Indentation(n.doc.text, n.Start))
			return unit, ok && unit != ""
		}
	}
	return "", false
}

// unitOf returns the step of indentation in and around a container.
func (st *style) unitOf(n *Node) string {
	for _, kid := range n.Children {
		if unit, ok := kid.unit(); ok {
			return unit
		}
	}
	if unit, ok := n.unit(); ok {
		return unit
	}
	return st.unit
}

func (st *style) colonOf(n *Node) string {
	for _, kid := range n.Children {
		if colon, ok := kid.colon(); ok && !st.plain {
			return colon
		}
	}
	return st.colon
}

func (st *style) pad(kind Kind) string {
	if kind == Object {
		return st.objectPad
	}
	return st.arrayPad
}

// shape returns how an object or array of a form is to be written.
func (st *style) shape(form *Form) shape {
	if st.oneLine {
		return shape{}
	}
	out := shape{lines: true, comma: 2*st.all.comma > st.all.lines && !st.plain}
	count := st.forms[form]
	switch {
	case count != nil:
		out.lines = count.lines >= count.inline
		if count.lines > 0 {
			out.comma = 2*count.comma > count.lines && !st.plain
		}
	case form == nil || form.Inline:
		out.lines = false
	case form.Like != nil && st.forms[form.Like] != nil:
		return st.shape(form.Like)
	}
	return out
}
