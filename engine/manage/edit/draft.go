package edit

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// skeleton is what a missing or empty file begins with.
const skeleton = "{\n  \"toolboxes\": {}\n}\n"

// draft is a file that is being edited.
type draft struct {
	original []byte
	text     []byte
	root     *node // of the text
	made     pieces
	st       *style
}

func newDraft(source []byte) (*draft, error) {
	d := &draft{original: source, text: source, made: pieces{{original: true, end: len(source)}}}
	if rest := bytes.TrimPrefix(source, []byte(byteOrderMark)); len(bytes.TrimSpace(rest)) == 0 && len(source) <= config.MaxSize {
		mark := len(source) - len(rest)
		start := Change{mark, len(source), skeleton}
		d.text = append(bytes.Clone(source[:mark]), skeleton...)
		d.made = d.made.replace(start)
	}
	if err := d.parse(); err != nil {
		return nil, err
	}
	if d.root.kind() != '{' {
		return nil, refuseAt(ErrWrongType, d.text, d.root.value.start, "the file holds %s where a group { … } must be", kindName(d.root))
	}
	return d, nil
}

func (d *draft) parse() error {
	start, problem := config.CheckSyntax(d.text)
	if problem != nil {
		return &SyntaxError{*problem}
	}
	d.root = parseNode(d.text, start)
	return nil
}

// style is how the file was written before the first edit.
func (d *draft) style() *style {
	if d.st == nil {
		d.st = newStyle(d.text, d.root)
	}
	return d.st
}

// replace changes the text. The changes must be in order.
func (d *draft) replace(changes []Change) error {
	if err := d.patch(changes); err != nil {
		return err
	}
	if len(d.text) > config.MaxSize {
		return refuse(ErrInvalid, "the file would become larger than %d MiB", config.MaxSize>>20)
	}
	if err := d.parse(); err != nil {
		return fmt.Errorf("%w: an edit would have broken the file: %w", ErrBug, err)
	}
	return nil
}

func (d *draft) patch(changes []Change) error {
	text, err := ApplyChanges(d.text, changes)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBug, err)
	}
	for i := len(changes) - 1; i >= 0; i-- { // from the end, so that places stay right
		d.made = d.made.replace(changes[i])
	}
	d.text = text
	return nil
}

// member returns a member of an object. It is nil when there is none.
func (d *draft) member(object *node, key string) (*node, int, error) {
	if object.kind() != '{' {
		what := "the file"
		if object.key != "" {
			what = fmt.Sprintf("%q", object.key)
		}
		return nil, -1, refuseAt(ErrWrongType, d.text, object.value.start, "%s is %s where a group { … } must be", what, kindName(object))
	}
	if second := object.repeated(); second != nil {
		return nil, -1, refuseAt(ErrAmbiguous, d.text, second.name.start, "%q is there twice; keep one of the two, or rename one", second.key)
	}
	if i := object.index(key); i >= 0 {
		return object.kids()[i], i, nil
	}
	return nil, -1, nil
}

// place is an object in the file, with the names that lead to it.
type place struct {
	path []string
	role role
}

// The places of the file.
func (p place) member(key string) place {
	return place{append(p.path[:len(p.path):len(p.path)], key), p.role.member(key)}
}

func rootPlace() place      { return place{nil, roleRoot} }
func toolboxesPlace() place { return rootPlace().member("toolboxes") }

func toolboxPlace(toolbox string) place { return toolboxesPlace().member(toolbox) }

func serversPlace(toolbox string) place { return toolboxPlace(toolbox).member("mcpServers") }

func serverPlace(toolbox, server string) place { return serversPlace(toolbox).member(server) }

// find returns the node of a place, or nil when it or something on the way isn't there.
func (d *draft) find(p place) (*node, error) {
	n := d.root
	for _, key := range p.path {
		next, _, err := d.member(n, key)
		if err != nil || next == nil {
			return nil, err
		}
		n = next
	}
	return n, nil
}

// need is find for what has to be there.
func (d *draft) need(p place) (*node, error) {
	n, err := d.find(p)
	if err == nil && n == nil {
		err = d.missing(p)
	}
	return n, err
}

// missing says what of a place isn't there.
func (d *draft) missing(p place) error {
	toolbox, err := "", error(nil)
	if len(p.path) > 1 && p.path[0] == "toolboxes" {
		var box *node
		toolbox = p.path[1]
		if box, err = d.find(toolboxPlace(toolbox)); err == nil && box == nil {
			return refuse(ErrNotFound, "there is no toolbox %q%s", toolbox, d.available(toolboxesPlace()))
		}
	}
	if len(p.path) > 3 && p.path[2] == "mcpServers" {
		server := p.path[3]
		if entry, err := d.find(serverPlace(toolbox, server)); err == nil && entry == nil {
			return refuse(ErrNotFound, "there is no server %q in the toolbox %q%s", server, toolbox, d.available(serversPlace(toolbox)))
		}
	}
	return refuse(ErrNotFound, "%s is not set", describe(p.path))
}

// available lists the names that there are in a place, to follow the name that isn't there.
func (d *draft) available(p place) string {
	n, err := d.find(p)
	if err != nil || n == nil || n.kind() != '{' {
		return ""
	}
	var names []string
	for _, kid := range n.kids() {
		names = append(names, kid.key)
	}
	return list(names)
}

// list writes names as far as a message has room for them.
func list(names []string) string {
	const most = 12
	if len(names) == 0 {
		return "; there are none yet"
	}
	words := make([]string, 0, most)
	for _, name := range names[:min(most, len(names))] {
		words = append(words, strconv.Quote(name))
	}
	text := ". Available: " + strings.Join(words, ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// describe names a place for people.
func describe(path []string) string {
	switch {
	case len(path) > 4 && path[0] == "toolboxes" && path[2] == "mcpServers":
		return fmt.Sprintf("%q of the server %q in the toolbox %q", strings.Join(path[4:], "."), path[3], path[1])
	case len(path) > 2 && path[0] == "toolboxes":
		return fmt.Sprintf("%q of the toolbox %q", strings.Join(path[2:], "."), path[1])
	}
	return fmt.Sprintf("%q", strings.Join(path, "."))
}

// container returns the object of a place, which is made when it isn't there. Its toolbox and server must
// be there.
func (d *draft) container(p place) (*node, error) {
	n, err := d.find(p)
	if err != nil {
		return nil, err
	}
	if n == nil {
		last := len(p.path) - 1
		parent := rootPlace()
		for _, key := range p.path[:last] {
			parent = parent.member(key)
		}
		if parent.role == roleToolboxes || parent.role == roleServers {
			return nil, d.missing(p)
		}
		if _, err := d.container(parent); err != nil {
			return nil, err
		}
		if err := d.add(parent, p.path[last], parseNode([]byte("{}"), 0), -1, false); err != nil {
			return nil, err
		}
		if n, err = d.need(p); err != nil {
			return nil, err
		}
	}
	if n.kind() != '{' {
		_, _, err = d.member(n, "")
	} else if second := n.repeated(); second != nil {
		_, _, err = d.member(n, second.key)
	}
	return n, err
}

// add makes a value a member of the object at a place. Index -1 is where such a key usually stands.
func (d *draft) add(p place, key string, value *node, index int, after bool) error {
	st := d.style()
	object, err := d.need(p)
	if err != nil {
		return err
	}
	if index < 0 {
		index, after = usualAmong(object.keys(), p.role, key)
	}
	colon := st.colonOf(object)
	return d.replace(object.insert(index, after, insertion{
		apart: (p.role == roleToolboxes || p.role == roleServers) && object.apart(),
		write: func(indent, unit string, lines bool) string {
			return quoteJSON(key) + colon + st.print(value, p.role.member(key), indent, unit, lines)
		},
	}, st, p.role))
}

// usualAmong returns where a new member goes: in the order in which people write them.
func usualAmong(keys []string, r role, key string) (index int, after bool) {
	order := usualOrder(r)
	rank := slices.Index(order, key)
	if rank < 0 {
		return len(keys), true
	}
	for _, known := range slices.Backward(order[:rank]) {
		if at := slices.Index(keys, known); at >= 0 {
			return at + 1, true
		}
	}
	for _, known := range order[rank+1:] {
		if at := slices.Index(keys, known); at >= 0 {
			return at, false
		}
	}
	return len(keys), true
}

func usualOrder(r role) []string {
	switch r {
	case roleRoot:
		return []string{"$schema", "toolMode", "metaToolPrefix", "toolboxes"}
	case roleToolbox:
		return []string{"description", "mcpServers"}
	case roleServer:
		return []string{
			"transport", "type", "command", "args", "env", "cwd", "url", "headers", "oauth",
			"toolFilters", "disabled", "startupTimeout", "callTimeout",
		}
	}
	return nil
}

func kindName(n *node) string {
	switch n.kind() {
	case '{':
		return "a group { … }"
	case '[':
		return "a list [ … ]"
	case '"':
		return "text in double quotes"
	case '0':
		return "a number"
	case 't', 'f':
		return "true or false"
	}
	return "nothing (null)"
}
