package foreign

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// This file and fields_*.go have what the rows of the table of spellings do. A row takes its member, or leaves it out
// with a reason; nothing else may happen to it.

// maxValues is the largest number of arguments, variables or headers in an entry.
const maxValues = 1000

// takeCommand translates the three forms of a command: its name, an array with the arguments, or an object.
func takeCommand(t *translation, m member) {
	s := &t.Server
	m = unquoted(m)
	switch m.Kind {
	case jsonc.String:
		t.text("command", &s.Command, m)
	case jsonc.Array:
		if argv := textsOf(t, m); len(argv) > 0 && s.Command == "" {
			s.Command, s.Args = argv[0], append(argv[1:], s.Args...)
			t.took("command", m)
		} else if len(argv) > 0 {
			t.leave(m.path, t.said("command"))
		}
	case jsonc.Object:
		for _, at := range t.members(m.path+".", m.Node) {
			if at.Kind == jsonc.Null {
				continue
			}
			switch fold(at.Key) {
			case "path", "command":
				t.text("command", &s.Command, at)
			case "args":
				takeArguments(t, at)
			case "env":
				takeEnvironment(t, at)
			default:
				t.leave(at.path, words.Text{})
			}
		}
	default:
		t.leave(m.path, words.Text{})
	}
}

// unquoted returns a member that is JSON in a text, as databases have it, as that JSON.
func unquoted(m member) member {
	if text := strings.TrimSpace(m.Str()); m.Kind == jsonc.String &&
		(strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{")) {
		if n, ok := parseJSON(text); ok && (n.Kind == jsonc.Array || n.Kind == jsonc.Object) {
			return member{n, m.path}
		}
	}
	return m
}

func takeArguments(t *translation, m member) {
	m = unquoted(m)
	if m.Kind != jsonc.String && m.Kind != jsonc.Array {
		t.leave(m.path, words.New("foreign.no_list"))
		return
	}
	list := textsOf(t, m)
	switch {
	case len(list) == 0:
	case len(t.from["args"]) > 0:
		t.leave(m.path, t.said("args"))
	default:
		t.Server.Args = append(t.Server.Args, list...)
		t.took("args", m)
	}
}

// textsOf reads a list of texts. It may also contain numbers, or be a single text with several words.
func textsOf(t *translation, m member) []string {
	if m.Kind == jsonc.String {
		return wordsOf(m.Str())
	}
	var list []string
	for i, item := range items(m.Node) {
		if len(list) == maxValues {
			t.leave(m.path, words.New("foreign.many_arguments", "Most", maxValues))
			break
		}
		if word, ok := textOf(item); ok {
			list = append(list, word)
		} else {
			t.leave(fmt.Sprintf("%s[%d]", m.path, i), words.New("foreign.no_text"))
		}
	}
	return list
}

// valueOf returns a value as text; nothing if it is none.
func valueOf(n *jsonc.Node) string {
	text, _ := textOf(n)
	return text
}

// leaveOthers leaves out the members of an object except those that were taken.
func leaveOthers(t *translation, path string, n *jsonc.Node, taken ...string) {
	for _, m := range members(n) {
		if !slices.Contains(taken, m.Key) {
			t.leave(path+"."+m.Key, words.Text{})
		}
	}
}

// last returns the members of an object, each name once: the last one counts, as in most programs.
func last(n *jsonc.Node) []*jsonc.Node {
	if n.Repeated() == nil {
		return members(n)
	}
	var list []*jsonc.Node
	known := map[string]int{}
	for _, m := range members(n) {
		if at, ok := known[m.Key]; ok {
			list[at] = m
			continue
		}
		known[m.Key] = len(list)
		list = append(list, m)
	}
	return list
}

func takeFolder(t *translation, m member) { t.text("cwd", &t.Server.Cwd, m) }

// addressOf returns a row for an address. given is the transport that the member's own name states; it takes
// precedence over a name that states none.
func addressOf(given string) func(*translation, member) {
	return func(t *translation, m member) {
		text, before := strings.TrimSpace(m.Str()), t.Server.URL
		switch {
		case isAddress(before) && strings.HasPrefix(text, "/"): // Spring has the path in a member of its own
			if t.Server.URL = strings.TrimRight(before, "/"); !strings.HasSuffix(t.Server.URL, text) {
				t.Server.URL += text
			}
			t.given = cmp.Or(given, t.given)
			t.took("url", m)
			return
		case strings.HasPrefix(before, "/") && isAddress(text):
			t.Server.URL = strings.TrimRight(text, "/") + before
			t.took("url", m)
			return
		}
		if given != "" && text != "" {
			if before != "" && before != text {
				t.leaveField("url", saidBy(m.path))
				t.Server.URL = ""
			}
			if len(t.from["transport"]) > 0 && fold(t.given) != given {
				t.leaveField("transport", saidBy(m.path))
			}
			t.given = given
		}
		t.text("url", &t.Server.URL, m)
	}
}

// takeTransport takes the name of a transport. Of two that contradict each other, the first counts; one that
// is known counts before one that is not.
func takeTransport(t *translation, m member) {
	before, knew := transportOf(t.given)
	now, knows := transportOf(m.Str())
	switch {
	case m.Kind != jsonc.String:
		t.leave(m.path, words.New("foreign.no_text"))
	case fold(m.Str()) == fold(t.given) || now == before && knows && knew:
	case t.given == "" || before == "" && now != "":
		if !knew {
			t.leaveField("transport", saidBy(m.path))
		}
		t.given = m.Str()
		t.took("transport", m)
	case now != "" || !knows:
		t.leave(m.path, saidBy(t.given))
	}
}

// takeRequest takes the headers of what a product calls the settings of its requests.
func takeRequest(t *translation, m member) {
	for _, at := range t.members(m.path+".", m.Node) {
		if fold(at.Key) == "headers" {
			takeHeaders(t, at)
		} else {
			t.leave(at.path, words.Text{})
		}
	}
	if m.Kind != jsonc.Object {
		t.leave(m.path, words.Text{})
	}
}

// takeSeconds takes a number, which may be in quotes.
func takeSeconds(t *translation, m member, parts float64) *time.Duration {
	text, _ := scalar(m.Node)
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || !(number >= 0 && number <= 1e9) {
		t.leave(m.path, words.New("foreign.no_number"))
		return nil
	}
	limit := time.Duration(number / parts * float64(time.Second))
	return &limit
}

// takeOfUser takes the values that LibreChat asks each user for. The entry refers to them as {{NAME}}; see askUser.
func takeOfUser(t *translation, m member) {
	if m.Kind != jsonc.Object {
		t.leave(m.path, words.Text{})
	}
	t.ofUsers = append(t.ofUsers, t.members(m.path+".", m.Node)...)
}

// askUser turns the references to what LibreChat asks its users for into those that are asked for here.
func (t *translation) askUser() {
	for _, v := range t.ofUsers {
		used := false
		Each(&t.Server, func(_ Part, value *string) {
			used = used || strings.Contains(*value, "{{"+v.Key+"}}")
			*value = strings.ReplaceAll(*value, "{{"+v.Key+"}}", "${input:"+v.Key+"}")
		})
		if !used || v.Kind != jsonc.Object {
			t.leave(v.path, words.Text{})
			continue
		}
		title := v.Member("title")
		t.inputs = t.inputs.with(Inputs{v.Key: {description: cmp.Or(title.Str(), v.Key),
			secret: !v.Member("sensitive").Is(jsonc.False)}})
		leaveOthers(t, v.path, v.Node, "title", "sensitive")
	}
}

// takeSource takes what Zed says about the origin of an entry that a person has written.
func takeSource(t *translation, m member) {
	if m.Str() != "custom" {
		t.leave(m.path, words.Text{})
	}
}
