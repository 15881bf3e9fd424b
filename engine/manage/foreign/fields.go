package foreign

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// This file has what the rows of the table of spellings do. A row takes its member, or leaves it out with a
// reason; nothing else may happen to it.

// maxValues is the largest number of arguments, variables or headers in an entry.
const maxValues = 1000

// command translates the three forms of a command: its name, an array with the arguments, or an object.
func (t *translation) command(m member) {
	s := &t.Server
	m = unquoted(m)
	switch m.Kind {
	case jsonc.String:
		t.text("command", &s.Command, m)
	case jsonc.Array:
		if argv := t.list(m); len(argv) > 0 && s.Command == "" {
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
				t.arguments(at)
			case "env":
				t.environment(at)
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

func (t *translation) arguments(m member) {
	m = unquoted(m)
	if m.Kind != jsonc.String && m.Kind != jsonc.Array {
		t.leave(m.path, words.New("foreign.no_list"))
		return
	}
	list := t.list(m)
	switch {
	case len(list) == 0:
	case len(t.from["args"]) > 0:
		t.leave(m.path, t.said("args"))
	default:
		t.Server.Args = append(t.Server.Args, list...)
		t.took("args", m)
	}
}

// list reads a list of texts. It may also contain numbers, or be a single text with several words.
func (t *translation) list(m member) []string {
	if m.Kind == jsonc.String {
		return wordsOf(m.Str())
	}
	var list []string
	for i, item := range items(m.Node) {
		if len(list) == maxValues {
			t.leave(m.path, words.New("foreign.many_arguments", "Most", maxValues))
			break
		}
		if word, ok := scalar(item); ok {
			list = append(list, word)
		} else {
			t.leave(fmt.Sprintf("%s[%d]", m.path, i), words.New("foreign.no_text"))
		}
	}
	return list
}

func (t *translation) environment(m member) {
	t.variables("env", &t.Server.Env, m, "=")
}

func (t *translation) headers(m member) {
	t.variables("headers", &t.Server.Headers, m, ":")
}

// variables takes names with values: an object, a list of texts such as NAME=value, a list of objects, or a
// text with a line for each. separator stands between a name and its value in a text.
func (t *translation) variables(field string, list *[]config.Variable, m member, separator string) {
	m = unquoted(m)
	before := len(*list)
	set := func(path, name, value string) {
		switch {
		case len(*list) == maxValues:
			t.leave(path, words.New("foreign.many_variables", "Most", maxValues))
		case slices.ContainsFunc(*list, func(v config.Variable) bool {
			return v.Name == name && v.Value != "" && v.Value != value
		}):
			t.leave(path, t.said(field))
		default:
			*list = slices.DeleteFunc(*list, func(v config.Variable) bool { return v.Name == name })
			*list = append(*list, config.Variable{Name: name, Value: value})
		}
	}
	assign := func(path, text string) {
		name, value, ok := strings.Cut(text, separator)
		if !ok {
			name, value, ok = strings.Cut(text, "=")
		}
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, " \n") {
			t.leave(path, words.New("foreign.no_assignment"))
			return
		}
		set(path, name, strings.TrimSpace(value))
	}
	switch m.Kind {
	case jsonc.Object:
		for _, v := range t.members(m.path+".", m.Node) {
			value, ok := scalar(v.Node)
			if inner := folded(v.Node, "value", "default"); !ok && valueOf(inner) != "" {
				set(v.path, v.Key, valueOf(inner))
				t.others(v.path, v.Node, inner.Key)
				continue
			}
			if !ok {
				t.note(words.New("foreign.no_value", "Name", shown(v.Key)))
			}
			if v.Kind == jsonc.Object || v.Kind == jsonc.Array {
				t.leave(v.path, words.New("foreign.no_text"))
			}
			set(v.path, v.Key, value)
		}
	case jsonc.Array:
		for i, item := range items(m.Node)[:min(len(items(m.Node)), maxValues)] {
			path := fmt.Sprintf("%s[%d]", m.path, i)
			if item.Kind == jsonc.String {
				assign(path, item.Str())
				continue
			}
			key, value := folded(item, "name", "key"), folded(item, "value", "default")
			if folded(item, "enabled").Is(jsonc.False) || folded(item, "disabled").Is(jsonc.True) {
				t.leave(path, words.Text{})
				continue
			}
			if key == nil && len(members(item)) == 1 {
				value = item.Children[0]
				set(path, value.Key, valueOf(value))
				key = value
			} else if key.Str() != "" {
				set(path, key.Str(), valueOf(value))
			} else {
				t.leave(path, words.New("foreign.no_assignment"))
				continue
			}
			for _, part := range members(item) {
				if _, ok := scalar(part); part == value && !ok {
					t.leave(path+"."+part.Key, words.New("foreign.no_text"))
				} else if part != key && part != value {
					t.leave(path+"."+part.Key, words.Text{})
				}
			}
		}
		if len(items(m.Node)) > maxValues {
			t.leave(m.path, words.New("foreign.many_variables", "Most", maxValues))
		}
	case jsonc.String:
		for line := range strings.Lines(m.Str()) {
			if strings.TrimSpace(line) != "" {
				assign(m.path, strings.TrimSpace(line))
			}
		}
	default:
		t.leave(m.path, words.New("foreign.no_assignment"))
	}
	if len(*list) > before {
		t.took(field, m)
	}
}

// valueOf returns a value as text; nothing if it is none.
func valueOf(n *jsonc.Node) string {
	text, _ := scalar(n)
	return text
}

// others leaves out the members of an object except those that were taken.
func (t *translation) others(path string, n *jsonc.Node, taken ...string) {
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

// passedOn takes the names of variables that the server gets from the environment.
func (t *translation) passedOn(m member) {
	if m.Kind == jsonc.Object {
		t.environment(m)
		return
	}
	t.wanted(m, func(name string) string { return "${" + name + "}" })
}

// storedKeys takes the names of variables whose values the other product keeps to itself.
func (t *translation) storedKeys(m member) {
	t.wanted(m, func(string) string { return "" })
	if len(items(m.Node)) > 0 {
		t.Stored = true
		t.note(words.New("foreign.secrets_again"))
	}
}

// wanted takes a list of names of variables.
func (t *translation) wanted(m member, value func(name string) string) {
	if m.Kind != jsonc.Array {
		t.leave(m.path, words.New("foreign.no_list"))
		return
	}
	for i, item := range items(m.Node) {
		name := item.Str()
		path := fmt.Sprintf("%s[%d]", m.path, i)
		if item.Kind == jsonc.Object {
			if part := folded(item, "name"); part.Str() != "" {
				name = part.Str()
				t.others(path, item, part.Key)
			}
		}
		switch {
		case name == "":
			t.leave(path, words.New("foreign.no_text"))
		case i >= maxValues:
			t.leave(m.path, words.New("foreign.many_variables", "Most", maxValues))
			return
		case slices.ContainsFunc(t.Server.Env, func(v config.Variable) bool { return v.Name == name && v.Value != "" }):
		default:
			t.Server.Env = slices.DeleteFunc(t.Server.Env, func(v config.Variable) bool { return v.Name == name })
			t.Server.Env = append(t.Server.Env, config.Variable{Name: name, Value: value(name)})
		}
	}
	t.took("env", m)
}

func (t *translation) envFile(m member) {
	if m.Kind != jsonc.String {
		t.leave(m.path, words.New("foreign.no_text"))
	} else if m.Str() != "" {
		t.leave(m.path, words.New("foreign.env_file", "File", shown(m.Str())))
	}
}

func (t *translation) folder(m member) { t.text("cwd", &t.Server.Cwd, m) }

// addressOf returns a row for an address. given is the transport that the member's own name states; it takes
// precedence over a name that states none.
func addressOf(given string) func(*translation, member) {
	return func(t *translation, m member) {
		if given != "" && strings.TrimSpace(m.Str()) != "" {
			if before := t.Server.URL; before != "" && before != strings.TrimSpace(m.Str()) {
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

// transportName takes the name of a transport. Of two that contradict each other, the first counts; one that
// is known counts before one that is not.
func (t *translation) transportName(m member) {
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

// request takes the headers of what a product calls the settings of its requests.
func (t *translation) request(m member) {
	for _, at := range t.members(m.path+".", m.Node) {
		if fold(at.Key) == "headers" {
			t.headers(at)
		} else {
			t.leave(at.path, words.Text{})
		}
	}
	if m.Kind != jsonc.Object {
		t.leave(m.path, words.Text{})
	}
}

// envHeaders takes headers whose values are variables.
func (t *translation) envHeaders(m member) {
	for _, part := range t.members(m.path+".", m.Node) {
		if part.Str() == "" {
			t.leave(part.path, words.New("foreign.no_text"))
			continue
		}
		t.header(part, part.Key, "${"+part.Str()+"}")
	}
	if m.Kind != jsonc.Object {
		t.leave(m.path, words.Text{})
	}
}

// header adds a header, unless the entry has it already.
func (t *translation) header(m member, name, value string) bool {
	for _, v := range t.Server.Headers {
		if strings.EqualFold(v.Name, name) {
			if v.Value != value {
				t.leave(m.path, saidBy(v.Name))
			}
			return false
		}
	}
	t.Server.Headers = append(t.Server.Headers, config.Variable{Name: name, Value: value})
	t.took("headers", m)
	return true
}

// tokenVariable takes the name of a variable that holds a token.
func (t *translation) tokenVariable(m member) {
	if m.Str() == "" {
		t.leave(m.path, words.New("foreign.no_text"))
	} else if name, value := keyHeader(t, "${"+m.Str()+"}"); t.header(m, name, value) {
		t.note(words.New("foreign.token_from", "Name", m.Str()))
	}
}

// token takes a token that a product sends itself in the header Authorization.
func (t *translation) token(m member) {
	switch text := strings.TrimSpace(m.Str()); {
	case m.Kind == jsonc.Object:
		t.signIn(m)
	case m.Kind != jsonc.String:
		t.leave(m.path, words.New("foreign.no_text"))
	case text == "":
	default:
		name, value := keyHeader(t, text)
		if t.header(m, name, value) {
			t.note(words.New("foreign.written_as", "Name", shown(m.path), "Field", shown(name)))
		}
	}
}

// signIn takes how the other product is registered with a sign-in service, or the token, the password or the header
// that it sends.
func (t *translation) signIn(m member) {
	if m.Kind == jsonc.Object && t.registration(m) {
		return
	}
	value := func(names ...string) (text, key string) {
		part := folded(m.Node, names...)
		if part == nil {
			return "", ""
		}
		return part.Str(), part.Key
	}
	kind, _ := value("type", "kind", "scheme", "method")
	token, key := value("token", "bearertoken", "accesstoken")
	if token == "" && fold(kind) == "bearer" {
		token, key = value("value", "key", "apikey")
	}
	name, nameKey := value("name", "header", "headername")
	content, contentKey := value("value")
	user, userKey := value("username", "user")
	password, passwordKey := value("password")
	switch {
	case token != "":
		t.token(member{m.Member(key), m.path + "." + key})
		t.others(m.path, m.Node, key, "type", "kind", "scheme", "method")
	case user != "" && password != "" && !strings.ContainsAny(user+password, "$%{"):
		if t.header(m, "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user+":"+password))) {
			t.note(words.New("foreign.written_as", "Name", shown(m.path), "Field", shown("Authorization")))
		}
		t.others(m.path, m.Node, userKey, passwordKey, "type", "kind", "scheme", "method")
	case name != "" && content != "":
		t.header(m, name, content)
		t.others(m.path, m.Node, nameKey, contentKey, "type", "kind", "scheme", "method")
	case m.Kind == jsonc.String && strings.TrimSpace(m.Str()) == "":
	case slices.Contains([]string{"none", "basic", "bearer", "header", "apikey"}, fold(cmp.Or(kind, m.Str()))):
		t.leave(m.path, words.Text{})
	default:
		t.leave(m.path, words.New("foreign.sign_in"))
	}
}

// registration takes how the other product is registered with a sign-in service. It reports whether there is
// a registration.
func (t *translation) registration(m member) bool {
	var o config.OAuth
	var unusable []string
	for _, part := range last(m.Node) {
		usable := part.Kind == jsonc.String
		switch fold(part.Key) {
		case "clientid":
			o.ClientID = part.Str()
		case "clientsecret":
			o.ClientSecret = part.Str()
		case "scope", "scopes":
			usable = usable || part.Kind == jsonc.Array
			o.Scope = strings.Join(t.list(member{part, m.path + "." + part.Key}), " ")
		case "callbackport":
			text, _ := scalar(part)
			port, err := strconv.Atoi(text)
			if usable = err == nil && port > 0 && port < 1<<16; usable {
				o.CallbackPort = port
			}
		default:
			usable = false
		}
		if !usable {
			unusable = append(unusable, m.path+"."+part.Key)
		}
	}
	if o.ClientID == "" {
		return false
	}
	for _, name := range unusable {
		t.leave(name, words.Text{})
	}
	t.Server.OAuth = &o
	t.took("oauth", m)
	return true
}

// filters takes the names of the tools that may be used.
func (t *translation) filters(m member) {
	if m.Kind == jsonc.Object { // other products have the settings of single tools there
		names := folded(m.Node, "toolnames", "include")
		if names != nil {
			t.filters(member{names, m.path + "." + names.Key})
			t.others(m.path, m.Node, names.Key)
			return
		}
	}
	if m.Kind != jsonc.Array && m.Kind != jsonc.String {
		t.leave(m.path, words.Text{})
		return
	}
	if list := items(m.Node); len(list) > 0 && !slices.ContainsFunc(list, func(item *jsonc.Node) bool {
		return item.Kind == jsonc.String
	}) {
		t.leave(m.path, words.Text{}) // what the product knows of the tools, not which may be used
		return
	}
	names := t.list(m)
	switch {
	case slices.Contains(names, "*"): // all tools, which is the default
		if len(names) > 1 {
			t.leave(m.path, saidBy("*"))
		}
	case len(t.from["toolFilters"]) > 0:
		t.leave(m.path, t.said("toolFilters"))
	default:
		t.Server.ToolFilters = append([]string{}, names...)
		t.took("toolFilters", m)
	}
}

// someFilters is filters for a product in which an empty list means all tools.
func (t *translation) someFilters(m member) {
	if m.Kind != jsonc.Array || len(m.Children) > 0 {
		t.filters(m)
	}
}

// excluded names the tools that the other product does not offer.
func (t *translation) excluded(m member) {
	if names := t.list(m); len(names) > 0 {
		t.leave(m.path, words.New("foreign.tools_off", "Tools", shown(strings.Join(names, ", "))))
	} else if m.Kind != jsonc.Array {
		t.leave(m.path, words.Text{})
	}
}

// seconds takes a number, which may be in quotes.
func (t *translation) seconds(m member, parts float64) *time.Duration {
	text, _ := scalar(m.Node)
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || !(number >= 0 && number <= 1e9) {
		t.leave(m.path, words.New("foreign.no_number"))
		return nil
	}
	limit := time.Duration(number / parts * float64(time.Second))
	return &limit
}

// ofUser takes the values that LibreChat asks each user for. The entry refers to them as {{NAME}}; see askUser.
func (t *translation) ofUser(m member) {
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
		t.inputs = t.inputs.with(Inputs{v.Key: {description: cmp.Or(title.Str(), v.Key), secret: true}})
		t.others(v.path, v.Node, "title")
	}
}

// source takes what Zed says about the origin of an entry that a person has written.
func (t *translation) source(m member) {
	if m.Str() != "custom" {
		t.leave(m.path, words.Text{})
	}
}
