package pin

import (
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// Instructions is the name under which a server's instructions are pinned, beside its tools. They wait for a
// person like a tool that has changed.
const Instructions = "(instructions)"

// InstructionsOf returns the definition of a server's instructions.
func InstructionsOf(text string) Definition {
	raw := jsonrpc.AppendString([]byte(`{"name":"`+Instructions+`","description":`), text)
	return Definition{Instructions, append(raw, '}')}
}

// Lists of prompts, resources and templates come and go with what a server has, and nobody is asked about them.
// The words of each are pinned when they are first listed. If they have changed, they are left out: the item
// stays with what is needed to use it.

// maxWords is how many prompts, resources and templates of a server are pinned. The words of others are left
// out.
const maxWords = 12_000

// WordsID is a prompt, a resource or a template of a server: the kind of its list, such as "prompt", and its
// key there, as stored.
type WordsID struct{ Kind, Key string }

// NewWordsID returns the WordsID of an item.
func NewWordsID(kind, name string) WordsID { return WordsID{kind, key(name)} }

// SumWords returns the hash of a prompt, a resource or a template. What is no words does not count: the size of
// a resource, and when it was last modified.
func SumWords(definition json.RawMessage) Hash {
	members := slices.DeleteFunc(jsonrpc.Split(definition), func(m jsonrpc.Member) bool {
		return m.Name == "size" && figures.Match(m.Value)
	})
	for i, m := range members {
		if m.Name == "annotations" && m.Value[0] == '{' {
			kept := slices.DeleteFunc(jsonrpc.Split(m.Value), func(m jsonrpc.Member) bool {
				return m.Name == "lastModified" && figures.Match(m.Value)
			})
			members[i].Value = jsonrpc.AppendObject(nil, kept)
		}
	}
	return sha256.Sum256(appendMembers(nil, members))
}

// figures matches a number or a time.
var figures = lazyregexp.New(`^"?[0-9][0-9TZ:.+ -]{0,39}"?$`)

// WithoutWords returns a definition with nothing but what is needed to use it. A resource and a template get
// their address for a name.
func WithoutWords(kind string, definition json.RawMessage) json.RawMessage {
	var kept []jsonrpc.Member
	for _, m := range jsonrpc.Split(definition) {
		text, _ := jsonrpc.String(m.Value)
		switch {
		case m.Name == "name" && kind == "prompt", m.Name == "uri", m.Name == "uriTemplate",
			m.Name == "size" && figures.Match(m.Value),
			m.Name == "mimeType" && mimeType.MatchString(text):
			kept = jsonrpc.With(kept, m.Name, m.Value)
		case m.Name == "arguments" && kind == "prompt":
			kept = jsonrpc.With(kept, m.Name, plainArguments(m.Value))
		}
	}
	if kind != "prompt" {
		for _, m := range kept {
			if m.Name == "uri" || m.Name == "uriTemplate" {
				kept = jsonrpc.With(kept, "name", m.Value)
			}
		}
	}
	return jsonrpc.AppendObject(nil, kept)
}

var mimeType = lazyregexp.New(`^[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,60}$`)

// argumentName matches the name of an argument that can hold no sentence.
var argumentName = lazyregexp.New(`^[A-Za-z0-9_.-]{1,40}$`)

// plainArguments returns the arguments of a prompt with their names, and whether they are required. Arguments with
// other names than programs have are left out.
func plainArguments(arguments json.RawMessage) json.RawMessage {
	list, _ := jsonrpc.Elements(arguments)
	list = slices.DeleteFunc(list, func(argument json.RawMessage) bool {
		name, _ := jsonrpc.String(jsonrpc.Lookup(argument, "name"))
		return !argumentName.MatchString(name)
	})
	for i, argument := range list {
		kept := []jsonrpc.Member{{Name: "name", Value: jsonrpc.Lookup(argument, "name")}}
		if required := jsonrpc.Lookup(argument, "required"); string(required) == "true" {
			kept = append(kept, jsonrpc.Member{Name: "required", Value: required})
		}
		list[i] = jsonrpc.AppendObject(nil, kept)
	}
	return jsonrpc.AppendArray(nil, list, jsonrpc.AppendValue)
}

// WordsVerdict says whether the words of an item may be offered.
type WordsVerdict int

// The verdicts. NewWords may be offered, and have to be stored.
const (
	KnownWords WordsVerdict = iota
	NewWords
	ChangedWords
	TooManyWords
)

// JudgeWords compares an item with the record, to which more was added meanwhile. The receiver may be nil.
func (r *Record) JudgeWords(id WordsID, hash Hash, more map[WordsID]Hash) WordsVerdict {
	known, ok := more[id]
	stored := len(more)
	if r != nil {
		if old, was := r.Words[id]; was && !ok {
			known, ok = old, true
		}
		stored += len(r.Words)
	}
	switch {
	case ok && known == hash:
		return KnownWords
	case ok:
		return ChangedWords
	case stored >= maxWords || r != nil && r.Lost:
		return TooManyWords
	}
	return NewWords
}

// WithWords returns the record with more items. Those that it has stay as they are, unless the server is
// trusted. The receiver may be nil.
func (r *Record) WithWords(more map[WordsID]Hash, trusted bool) *Record {
	next := &Record{}
	if r != nil {
		*next = *r
	}
	next.Words = maps.Clone(next.Words)
	if next.Words == nil {
		next.Words = map[WordsID]Hash{}
	}
	for id, hash := range more {
		if _, ok := next.Words[id]; ok && !trusted || !ok && len(next.Words) >= maxWords {
			continue
		}
		next.Words[id] = hash
	}
	if next.index == nil {
		next.limit()
	}
	return next
}
