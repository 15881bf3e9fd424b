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

func takeEnvironment(t *translation, m member) {
	takeVariables(t, "env", &t.Server.Env, m, "=")
}

func takeHeaders(t *translation, m member) {
	takeVariables(t, "headers", &t.Server.Headers, m, ":")
}

// takeVariables takes names with values: an object, a list of texts such as NAME=value, a list of objects, or a
// text with a line for each. separator stands between a name and its value in a text.
func takeVariables(t *translation, field string, list *[]config.Variable, m member, separator string) {
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
			text, ok := textOf(v.Node)
			if inner := folded(v.Node, "value", "default"); !ok && valueOf(inner) != "" {
				set(v.path, v.Key, valueOf(inner))
				leaveOthers(t, v.path, v.Node, inner.Key)
				continue
			}
			if !ok {
				t.note(words.New("foreign.no_value", "Name", shown(v.Key)))
			}
			if !ok && (v.Kind == jsonc.Object || v.Kind == jsonc.Array) {
				t.leave(v.path, words.New("foreign.no_text"))
			}
			set(v.path, v.Key, text)
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
				if _, ok := textOf(part); part == value && !ok {
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

// takePassedOn takes the names of variables that the server gets from the environment.
func takePassedOn(t *translation, m member) {
	if m.Kind == jsonc.Object {
		takeEnvironment(t, m)
		return
	}
	takeWanted(t, m, func(name string) string { return "${" + name + "}" })
}

// takeStoredKeys takes the names of variables whose values the other product keeps to itself.
func takeStoredKeys(t *translation, m member) {
	takeWanted(t, m, func(string) string { return "" })
	if len(items(m.Node)) > 0 {
		t.Stored = true
		t.note(words.New("foreign.secrets_again"))
	}
}

// takeWanted takes a list of names of variables.
func takeWanted(t *translation, m member, value func(name string) string) {
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
				leaveOthers(t, path, item, part.Key)
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

func takeEnvFile(t *translation, m member) {
	if m.Kind != jsonc.String {
		t.leave(m.path, words.New("foreign.no_text"))
	} else if m.Str() != "" {
		t.leave(m.path, words.New("foreign.env_file", "File", shown(m.Str())))
	}
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

// takeEnvHeaders takes headers whose values are variables.
func takeEnvHeaders(t *translation, m member) {
	for _, part := range t.members(m.path+".", m.Node) {
		if part.Str() == "" {
			t.leave(part.path, words.New("foreign.no_text"))
			continue
		}
		takeHeader(t, part, part.Key, "${"+part.Str()+"}")
	}
	if m.Kind != jsonc.Object {
		t.leave(m.path, words.Text{})
	}
}

// takeHeader adds a header, unless the entry has it already.
func takeHeader(t *translation, m member, name, value string) bool {
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

// takeTokenVariable takes the name of a variable that holds a token.
func takeTokenVariable(t *translation, m member) {
	if m.Str() == "" {
		t.leave(m.path, words.New("foreign.no_text"))
	} else if name, value := keyHeader(t, "${"+m.Str()+"}"); takeHeader(t, m, name, value) {
		t.note(words.New("foreign.token_from", "Name", m.Str()))
	}
}

// takeToken takes a token that a product sends itself in the header Authorization.
func takeToken(t *translation, m member) {
	switch text := strings.TrimSpace(m.Str()); {
	case m.Kind == jsonc.Object:
		takeSignIn(t, m)
	case m.Kind != jsonc.String:
		t.leave(m.path, words.New("foreign.no_text"))
	case text == "":
	default:
		name, value := keyHeader(t, text)
		if takeHeader(t, m, name, value) {
			t.note(words.New("foreign.written_as", "Name", shown(m.path), "Field", shown(name)))
		}
	}
}

// takeSignIn takes how the other product is registered with a sign-in service, or the token, the password or the
// header that it sends.
func takeSignIn(t *translation, m member) {
	if m.Kind == jsonc.Object && takeRegistration(t, m) {
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
		takeToken(t, member{m.Member(key), m.path + "." + key})
		leaveOthers(t, m.path, m.Node, key, "type", "kind", "scheme", "method")
	case user != "" && password != "" && !strings.ContainsAny(user+password, "$%{"):
		if takeHeader(t, m, "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user+":"+password))) {
			t.note(words.New("foreign.written_as", "Name", shown(m.path), "Field", shown("Authorization")))
		}
		leaveOthers(t, m.path, m.Node, userKey, passwordKey, "type", "kind", "scheme", "method")
	case name != "" && content != "":
		takeHeader(t, m, name, content)
		leaveOthers(t, m.path, m.Node, nameKey, contentKey, "type", "kind", "scheme", "method")
	case m.Kind == jsonc.String && strings.TrimSpace(m.Str()) == "":
	case slices.Contains([]string{"none", "basic", "bearer", "header", "apikey"}, fold(cmp.Or(kind, m.Str()))):
		t.leave(m.path, words.Text{})
	default:
		t.leave(m.path, words.New("foreign.sign_in"))
	}
}

// takeRegistration takes how the other product is registered with a sign-in service. It reports whether there is
// a registration.
func takeRegistration(t *translation, m member) bool {
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
			o.Scope = strings.Join(textsOf(t, member{part, m.path + "." + part.Key}), " ")
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

// takeFilters takes the names of the tools that may be used.
func takeFilters(t *translation, m member) {
	if m.Kind == jsonc.Object { // other products have the settings of single tools there
		names := folded(m.Node, "toolnames", "include")
		if names != nil {
			takeFilters(t, member{names, m.path + "." + names.Key})
			leaveOthers(t, m.path, m.Node, names.Key)
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
	names := textsOf(t, m)
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

// takeToolFilter takes the tools that a proxy lets through, or names those that it keeps back.
func takeToolFilter(t *translation, m member) {
	mode, list := folded(m.Node, "mode"), folded(m.Node, "list")
	switch {
	case list == nil:
		t.leave(m.path, words.Text{})
		return
	case fold(mode.Str()) == "block":
		takeExcluded(t, member{list, m.path + "." + list.Key})
	default:
		takeFilters(t, member{list, m.path + "." + list.Key})
	}
	leaveOthers(t, m.path, m.Node, list.Key, "mode")
}

// takeSomeFilters is filters for a product in which an empty list means all tools.
func takeSomeFilters(t *translation, m member) {
	if m.Kind != jsonc.Array || len(m.Children) > 0 {
		takeFilters(t, m)
	}
}

// takeExcluded names the tools that the other product does not offer.
func takeExcluded(t *translation, m member) {
	if names := textsOf(t, m); len(names) > 0 {
		t.leave(m.path, words.New("foreign.tools_off", "Tools", shown(strings.Join(names, ", "))))
	} else if m.Kind != jsonc.Array {
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
