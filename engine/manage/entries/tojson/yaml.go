package tojson

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// ParseYAML returns the syntax tree of YAML, whose lines end in \n or \r\n. The error is an [*Error] or [ErrHeavy].
func ParseYAML(text []byte) (*ast.File, error) {
	if heavy(text) {
		return nil, ErrHeavy
	}
	file, err := parser.ParseBytes(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), 0)
	if err == nil {
		return file, nil
	}
	var wrong interface {
		GetMessage() string
		GetToken() *token.Token
	}
	if errors.As(err, &wrong) {
		return nil, wrongAt(wrong.GetToken(), wrong.GetMessage())
	}
	return nil, &Error{Message: err.Error()}
}

func wrongAt(at *token.Token, why string) error {
	if at == nil || at.Position == nil {
		return &Error{Message: why}
	}
	return &Error{at.Position.Line, at.Position.Column, why}
}

// YAML returns the first document of YAML as JSON, or null if there is none. Infinity and NaN, which JSON cannot
// express, become null. An alias becomes a copy of its value. The error is an [*Error] or [ErrHeavy].
func YAML(text []byte) ([]byte, error) {
	file, err := ParseYAML(text)
	if err != nil {
		return nil, err
	}
	r := yamlReader{anchors: map[string]*value{}}
	for _, document := range file.Docs {
		if _, comment := document.Body.(*ast.CommentGroupNode); comment || document.Body == nil {
			continue
		}
		v, err := r.value(document.Body)
		if err != nil {
			return nil, err
		}
		return v.text(), nil
	}
	return null().text(), nil
}

type yamlReader struct {
	anchors map[string]*value
}

func (r *yamlReader) value(node ast.Node) (*value, error) {
	switch n := node.(type) {
	case *ast.StringNode:
		return of(n.Value), nil
	case *ast.LiteralNode:
		return of(n.Value.Value), nil
	case *ast.IntegerNode:
		return of(n.Value), nil
	case *ast.FloatNode:
		if text := n.GetToken().Value; asWritten.MatchString(text) {
			return &value{json: text}, nil
		}
		return of(n.Value), nil
	case *ast.BoolNode:
		return of(n.Value), nil
	case *ast.TagNode:
		return r.tagged(n)
	case *ast.AnchorNode:
		name := n.Name.GetToken().Value
		r.anchors[name] = null() // within itself
		v, err := r.value(n.Value)
		r.anchors[name] = v
		return v, err
	case *ast.AliasNode:
		at := n.Value.GetToken()
		if v := r.anchors[at.Value]; v != nil {
			return v, nil
		}
		return nil, wrongAt(at, "could not find alias "+at.Value)
	case *ast.MappingKeyNode:
		return r.value(n.Value)
	case *ast.MappingValueNode:
		return r.mapping(n)
	case *ast.MappingNode:
		return r.mapping(n.Values...)
	case *ast.SequenceNode:
		v := &value{kind: list}
		for _, item := range n.Values {
			next, err := r.value(item)
			if err != nil {
				return nil, err
			}
			v.items = append(v.items, next)
		}
		return v, nil
	}
	return null(), nil
}

func (r *yamlReader) mapping(members ...*ast.MappingValueNode) (*value, error) {
	v := &value{kind: object}
	merged := &value{kind: list}
	for _, member := range members {
		key, err := r.value(member.Key)
		if err != nil {
			return nil, err
		}
		next, err := r.value(member.Value)
		if err != nil {
			return nil, err
		}
		switch {
		case member.Key.IsMergeKey() && next.kind == list:
			merged.items = append(merged.items, next.items...)
		case member.Key.IsMergeKey():
			merged.items = append(merged.items, next)
		case key.isText():
			v.put(jsonc.Unquote(key.json), next)
		default:
			v.put(string(key.text()), next)
		}
	}
	for _, other := range merged.items { // members of v itself take precedence
		for _, name := range other.names {
			if v.members[name] == nil {
				v.put(name, other.members[name])
			}
		}
	}
	return v, nil
}

// tagged reads a value with a tag, which says whether it is text. Other tags change nothing.
func (r *yamlReader) tagged(n *ast.TagNode) (*value, error) {
	v, err := r.value(n.Value)
	if err != nil || v.kind != scalar {
		return v, err
	}
	switch token.ReservedTagKeyword(n.Start.Value) {
	case token.StringTag:
		switch {
		case v.json == "null":
			return of(""), nil
		case !v.isText():
			return of(v.json), nil
		}
	case token.IntegerTag, token.FloatTag, token.BooleanTag:
		if v.isText() && json.Valid([]byte(jsonc.Unquote(v.json))) {
			return &value{json: jsonc.Unquote(v.json)}, nil
		}
	}
	return v, nil
}
