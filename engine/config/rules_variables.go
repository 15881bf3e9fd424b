package config

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var emptyVariableName = Rule{Code: "empty-variable-name",
	About: "An environment variable has no name.",
	Entry: `"command": "npx", "env": {"": "value"}`,
	variable: func(d *diagnoser, r Rule, f *Field, v variableAt) {
		if f.Name == "env" && v.key == "" {
			d.sayAt(r, v.name, v.at, words.New("config.empty_variable_name"), words.New("config.env.write"))
		}
	}}

var badVariableName = Rule{Code: "bad-variable-name",
	About: "The system does not allow \"=\" or a zero character in the name of an environment variable. Often name " +
		"and value were written into one text.",
	Entry: `"command": "npx", "env": {"TOKEN=abc": ""}`,
	variable: func(d *diagnoser, r Rule, f *Field, v variableAt) {
		if f.Name == "env" && strings.ContainsAny(v.key, "=\x00") {
			problem := d.sayAt(r, v.name, v.at, words.New("config.bad_variable_name", "Name", quoted(v.key)),
				words.New("config.bad_variable_name.hint"))
			offerName(d, problem, v)
		}
	}}

var spaceAroundVariable = Rule{Code: "space-around-variable",
	About: "The name of an environment variable begins or ends with a space, so the server will not find it.",
	Entry: `"command": "npx", "env": {"TOKEN ": "abc"}`,
	variable: func(d *diagnoser, r Rule, f *Field, v variableAt) {
		if f.Name == "env" && strings.TrimSpace(v.key) != v.key && !strings.ContainsAny(v.key, "=\x00") {
			problem := d.sayAt(r, v.name, v.at, words.New("config.space_around_name", "Name", quoted(v.key)),
				words.New("config.write", "Text", quote(strings.TrimSpace(v.key))))
			offerName(d, problem, v)
		}
	}}

var badHeaderName = Rule{Code: "bad-header-name",
	About: "HTTP allows only some characters in the name of a header: no spaces, and no colon at its end.",
	Entry: `"url": "https://example.com/mcp", "headers": {"Authorization:": "Bearer abc"}`,
	variable: func(d *diagnoser, r Rule, f *Field, v variableAt) {
		if f.Name == "headers" && !validHeader(v.key) {
			problem := d.sayAt(r, v.name, v.at, words.New("config.bad_header_name", "Name", quoted(v.key)),
				words.New("config.bad_header_name.hint"))
			offerName(d, problem, v)
		}
	}}

var lineBreakInHeader = Rule{Code: "line-break-in-header",
	About: "The value of an HTTP header is one line.",
	Entry: `"url": "https://example.com/mcp", "headers": {"X-Note": "one\ntwo"}`,
	variable: func(d *diagnoser, r Rule, f *Field, v variableAt) {
		if f.Name == "headers" && validHeader(v.key) && strings.ContainsAny(v.value, "\r\n") {
			d.sayAt(r, v.name, v.at, words.New("config.line_break_in_header", "Name", quoted(v.key)),
				words.New("config.line_break_in_header.hint"))
		}
	}}

// validHeader reports whether a name can be that of an HTTP header (RFC 9110, section 5.6.2).
func validHeader(name string) bool {
	for _, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", r) {
			return false
		}
	}
	return name != ""
}

// offerName proposes a name without spaces and colons at its ends.
func offerName(d *diagnoser, problem *Diagnostic, v variableAt) {
	if trimmed := strings.TrimRight(strings.TrimSpace(v.key), ": "); trimmed != v.key && !taken(v.siblings, trimmed) {
		d.offer(problem, words.New("config.fix.correct_name"), d.src.trimTo(v.name, trimmed)...)
	}
}

var secretWithoutID = Rule{Code: "secret-without-id", Severity: SeverityWarning,
	About: "A client secret proves the identity of a client, and without \"clientId\" there is no such client.",
	Entry: `"url": "https://example.com/mcp", "oauth": {"clientSecret": "${keyring:far}"}`,
	server: func(d *diagnoser, r Rule, e *entry) {
		if e.OAuth == nil || e.OAuth.ClientID != "" || e.OAuth.ClientSecret == "" {
			return
		}
		group, _ := e.member("oauth")
		d.sayAt(r, nameOf(group.value.Member("clientSecret")), group.at.member("clientSecret"),
			words.New("config.secret_without_id"),
			words.New("config.secret_without_id.hint"))
	}}

var commaInScope = Rule{Code: "comma-in-scope", Severity: SeverityWarning,
	About: "Scopes are separated by spaces. A comma becomes a part of a scope's name, which no service knows.",
	Entry: `"url": "https://example.com/mcp", "oauth": {"clientId": "abc", "scope": "read,write"}`,
	server: func(d *diagnoser, r Rule, e *entry) {
		if e.OAuth == nil || !strings.Contains(e.OAuth.Scope, ",") {
			return
		}
		group, _ := e.member("oauth")
		d.sayAt(r, group.value.Member("scope").Span, group.at.member("scope"), words.New("config.comma_in_scope"),
			words.New("config.comma_in_scope.hint"))
	}}
