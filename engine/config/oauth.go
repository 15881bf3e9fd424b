package config

import (
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// OAuth is how the user has registered Workbench with the sign-in service of a remote server.
type OAuth struct {
	ClientID, ClientSecret string
	Scope                  string // what to ask for, with spaces between; empty: what the server wants
	CallbackPort           int    // of this computer, which the browser comes back to; 0: any
}

// ID returns the client ID, "" when there is none. The receiver may be nil.
func (o *OAuth) ID() string {
	if o == nil {
		return ""
	}
	return o.ClientID
}

var oauthKeys = []string{"clientId", "clientSecret", "scope", "callbackPort"}

// oauthAlias knows other clients' words for what "oauth" has.
func oauthAlias(key string) string {
	switch strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(key)) {
	case "clientid":
		return "clientId"
	case "clientsecret":
		return "clientSecret"
	case "scopes":
		return "scope"
	case "callbackport", "redirectport":
		return "callbackPort"
	}
	return ""
}

const oauthExample = `write "oauth": {"clientId": "…"}, or leave it out`

// oauth reads what the user says about signing in.
func (d *diagnoser) oauth(m member) *OAuth {
	if kind := m.value.Value.Kind(); kind == 't' || kind == 'f' { // other clients switch signing in on and off so
		d.sayAt(SeverityWarning, m.value, m.at, `"oauth" does nothing when it is true or false`, oauthExample)
		return nil
	}
	object, ok := d.object(m, oauthExample)
	if !ok {
		return nil
	}
	o := &OAuth{}
	members := d.members(object, m.at)
	var secret member
	for _, part := range members {
		if part.repeated {
			d.duplicates(part.value, part.at)
			continue
		}
		if part.key == "clientSecret" {
			secret = part
		}
		d.oauthMember(o, part, members)
	}
	if o.ClientID == "" && o.ClientSecret != "" {
		d.sayAt(SeverityWarning, secret.name, secret.at, `"clientSecret" does nothing without "clientId"`, `add the "clientId" that came with it`)
	}
	return o
}

func (d *diagnoser) oauthMember(o *OAuth, m member, members []member) {
	switch m.key {
	case "clientId":
		o.ClientID = d.value(m, "write the client ID that the sign-in service gave you")
	case "clientSecret":
		o.ClientSecret = d.value(m, `write a reference to it, for example "${keyring:my client secret}"`)
	case "scope":
		o.Scope = d.value(m, `write the scopes with spaces between them: "read write"`)
		if strings.Contains(o.Scope, ",") {
			d.sayAt(SeverityWarning, m.value, m.at, `"scope" has a comma in it`, `scopes have spaces between them: "read write"`)
		}
	case "callbackPort":
		o.CallbackPort = d.port(m)
	default:
		key := knownKey(m.key, oauthKeys, oauthAlias)
		if key == "" {
			d.unknown(m, "")
			return
		}
		d.misplaced(m, "did you mean "+quote(key)+"?", d.renameTo(m, members, key), func() {
			m.key = key
			d.oauthMember(&OAuth{}, m, members)
		})
	}
}

// port reads the number of a port. The result is 0 when it is none.
func (d *diagnoser) port(m member) int {
	const hint = "write the port of the address that you gave when registering Workbench, for example 8080"
	if m.value.Value.Kind() != '0' {
		problem := d.wrongType(m, "a number", hint)
		if m.value.Value.Kind() == '"' && validNumber([]byte(decode(m.value.Value.(hujson.Literal)))) {
			d.offer(problem, "Remove the quotes", d.unquote(m.value)...)
		}
		return 0
	}
	port, err := strconv.ParseFloat(string(m.value.Value.(hujson.Literal)), 64)
	if err != nil || port < 1 || port > 65535 || port != float64(int(port)) {
		d.sayAt(SeverityError, m.value, m.at, quote(m.key)+" is no port: ports are whole numbers from 1 to 65535", hint)
		return 0
	}
	return int(port)
}
