package definition

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Refusal says why AI services are known to refuse a request with a tool, and so with the tools of all servers. Each
// reason is a bit.
type Refusal uint8

// The reasons.
const (
	// Combined means that the schema of the arguments has a keyword such as anyOf or $ref in addition to its type.
	Combined Refusal = 1 << iota
	// Named means that the name of an argument does not match ^[a-zA-Z0-9_.-]{1,64}$.
	Named
	// Outdated means that the schema has a keyword of a draft before 2020-12 that later drafts do not allow.
	Outdated
)

// refused returns why services refuse the schema of a tool's arguments.
func refused(schema json.RawMessage) (why Refusal) {
	if topKeyword(schema) != "" {
		why |= Combined
	}
	if oddName(schema) != "" {
		why |= Named
	}
	if hasTuple(schema) {
		why |= Outdated
	}
	return why
}

// texts returns the reasons for people.
func (r Refusal) texts(schema json.RawMessage) (texts []words.Text) {
	if r&Combined != 0 {
		texts = append(texts, words.New("definition.combined", "Keyword", topKeyword(schema)))
	}
	if r&Named != 0 {
		texts = append(texts, words.New("definition.named", "Name", visible.Short(oddName(schema), 80)))
	}
	if r&Outdated != 0 {
		texts = append(texts, words.New("definition.outdated"))
	}
	return texts
}

// topKeyword returns a keyword of the outermost schema that services refuse there; "" if it has none.
func topKeyword(schema json.RawMessage) string {
	for _, member := range jsonrpc.Split(schema) {
		switch member.Name {
		case "anyOf", "oneOf", "allOf", "$ref", "not", "enum":
			return member.Name
		}
	}
	return ""
}

// oddName returns the name of an argument that services refuse; "" if there is none.
func oddName(schema json.RawMessage) string {
	for _, member := range jsonrpc.Split(jsonrpc.Lookup(schema, "properties")) {
		if !isPlainName(member.Name) {
			if member.Name == "" {
				return `""`
			}
			return member.Name
		}
	}
	return ""
}

func isPlainName(name string) bool {
	return name != "" && len(name) <= 64 && strings.IndexFunc(name, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-')
	}) < 0
}

// hasTuple reports whether items is a list somewhere in a schema.
func hasTuple(schema json.RawMessage) bool {
	if len(schema) == 0 || schema[0] != '{' {
		return false
	}
	return slices.ContainsFunc(jsonrpc.Split(schema), func(m jsonrpc.Member) bool {
		switch is := useOf(m.Name); {
		case is == useItems && m.Value[0] == '[':
			return true
		case is == useSchema, is == useItems:
			return hasTuple(m.Value)
		case is == useSchemas:
			list, _ := jsonrpc.Elements(m.Value)
			return slices.ContainsFunc(list, func(one json.RawMessage) bool { return hasTuple(one) })
		case is.holdsSchemas():
			return slices.ContainsFunc(jsonrpc.Split(m.Value), func(one jsonrpc.Member) bool { return hasTuple(one.Value) })
		}
		return false
	})
}
