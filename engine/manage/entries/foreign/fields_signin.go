package foreign

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

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
