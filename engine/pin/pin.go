// Package pin notices when a server's tools change. It stores the definitions that a server first listed,
// with their SHA-256. A definition that changes later waits until a person has approved it
// (docs/adr/079-tools-that-change.md).
//
// Data from a server is hostile: the sizes and numbers of what is stored are limited, and above the limits
// only hashes are stored.
package pin

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
)

// Limits of what is stored for one server.
const (
	maxTools    = 12_000  // more than one list can have, so that all tools of a new server are stored
	maxTexts    = 1_000   // definitions; of others only hashes are stored
	maxText     = 4 << 20 // bytes of all definitions
	maxApproved = 8       // hashes of one tool
	maxName     = 200     // bytes; of a longer name, the beginning and a hash are stored
)

// Definition is a tool in a server's list.
type Definition struct {
	Name string
	Raw  json.RawMessage // valid JSON without white space; it is not changed
}

// Record is what is stored for one server. A Record from a [Store] is changed only by [Record.Judge].
type Record struct {
	// Server is the toolbox and name of the server when the record was written, for people who read the file.
	Server string
	// Version is the server's version when its tools were last approved. Next is its current version, while
	// changed tools wait. Both may be empty.
	Version, Next string
	// Lost is set if the file was damaged, so that the approved definitions are unknown. Until a person has
	// decided, every tool that is not in Tools waits, and not only changed ones.
	Lost bool
	Met  Met
	// Lists are the kinds of lists besides tools that the server has, as text; "" if not known.
	Lists string
	// Tools are in the order of the server; those that it no longer has come last. Listed is how many of them
	// were in its last list; 0 if not known.
	Tools  []Tool
	Listed int
	// Words are the hashes of prompts, resources and templates, see [Record.JudgeWords].
	Words map[WordsID]Hash

	index map[string]int // into Tools, by name
	info  os.FileInfo    // of the file; nil if there is none
}

// Tool is what is stored for one tool.
type Tool struct {
	Name string
	// Approved are the hashes of the definitions that may be offered, at most maxApproved, the latest last.
	// Definition is the text of the latest; nil if it was too large.
	Approved   []Hash
	Definition json.RawMessage
	// Format1 are hashes from format 1 of the file, which had no texts. They are valid until the tool is listed.
	Format1 []Hash
	// Waiting is the definition that waits for a person; nil if there is none.
	Waiting *Waiting
}

// Waiting is a definition that nobody has approved yet.
type Waiting struct {
	Hash       Hash
	Definition json.RawMessage // nil if it was too large
	// Off is set if the person has chosen to keep the tool off. Further changes of it are not asked about.
	Off bool
}

// Verdict says which tools of a list may be offered.
type Verdict struct {
	// Withheld are the names of the tools that may not be offered; nil if there are none. The value is true
	// if a person is asked about the tool, and false if the person has chosen to keep it off.
	Withheld map[string]bool
	// Changed are the tools that changed and are accepted because the server is trusted.
	Changed []string
	// New are new tools of a known server.
	New []string
	// Full is how many tools in Withheld do not fit into the record. The record never drops one tool for
	// another, so that a server cannot displace what was approved.
	Full int
	// Stale is set if the record must be written again, see [Record.With].
	Stale bool
}

// Judge compares the tools in a server's list, and the server's version, with the record. A trusted server
// may change its tools. The receiver may be nil, for a new server.
//
// Afterwards the record shares the memory of equal definitions.
func (r *Record) Judge(tools []Definition, version string, trusted bool) Verdict {
	if r == nil {
		return Verdict{Stale: len(tools) > 0}
	}
	var v Verdict
	room := maxTools - len(r.Tools)
	listed := map[int]bool{}
	for _, tool := range tools {
		at, ok := r.index[key(tool.Name)]
		if !ok {
			room--
		}
		switch {
		case !ok && room < 0 && !trusted:
			v.Full++
			v.withhold(tool.Name, false)
			continue
		case !ok && r.Lost && !trusted:
			v.Stale = true
			v.withhold(tool.Name, true)
			continue
		case !ok:
			v.New = append(v.New, tool.Name)
			continue
		}
		listed[at] = true
		v.Stale = v.Stale || at >= r.Listed
		kept := &r.Tools[at]
		if bytes.Equal(kept.Definition, tool.Raw) {
			kept.Definition = tool.Raw
			v.Stale = v.Stale || kept.Waiting != nil
			continue
		}
		if w := kept.Waiting; w != nil && !trusted && bytes.Equal(w.Definition, tool.Raw) {
			w.Definition = tool.Raw
			v.withhold(tool.Name, !w.Off)
			continue
		}
		hash := Sum(tool.Raw)
		switch w := kept.Waiting; {
		case kept.approves(hash, tool.Raw):
			v.Stale = v.Stale || len(kept.Format1) > 0 || w != nil || kept.Definition != nil || len(kept.Approved) == 0 ||
				hash != kept.Approved[len(kept.Approved)-1]
		case trusted:
			v.Changed = append(v.Changed, tool.Name)
			v.Stale = true
		default:
			v.Stale = v.Stale || w == nil || w.Hash != hash
			v.withhold(tool.Name, w == nil || !w.Off)
		}
	}
	v.Stale = v.Stale || len(v.New) > 0 || len(tools) > 0 && len(listed) < r.Listed || r.Lost && trusted ||
		version != r.Version && (v.Withheld == nil || version != r.Next)
	return v
}

// Has reports whether a tool is in the record. The receiver may be nil.
func (r *Record) Has(tool string) bool {
	if r == nil {
		return false
	}
	_, ok := r.index[key(tool)]
	return ok
}

func (v *Verdict) withhold(name string, asks bool) {
	if v.Withheld == nil {
		v.Withheld = map[string]bool{}
	}
	v.Withheld[name] = asks
}

// With returns the record to be stored after a server has listed its tools. server is the toolbox and name of the
// server, for people. The receiver may be nil.
func (r *Record) With(server string, tools []Definition, version string, trusted bool) *Record {
	next := &Record{Server: server, Version: version}
	if r != nil {
		next.info, next.Lost, next.Words, next.Lists = r.info, r.Lost && !trusted, r.Words, r.Lists
		next.Met = r.Met
	}
	room := maxTools
	if r != nil && !trusted { // tools that a trusted server no longer has make room
		room -= len(r.Tools)
	}
	listed := make(map[string]bool, len(tools))
	for _, tool := range tools {
		name := key(tool.Name)
		if listed[name] {
			continue
		}
		listed[name] = true
		known := false
		kept := Tool{Name: name}
		if next.Lost {
			kept.Approved = []Hash{{}} // the approved definition is unknown, and no definition has this hash
		}
		if r != nil {
			if at, ok := r.index[name]; ok {
				kept, known = r.Tools[at], true
			}
		}
		if !known {
			if room--; room < 0 {
				continue
			}
		}
		kept.take(tool.Raw, trusted)
		if kept.Waiting != nil {
			next.Version, next.Next = r.Version, version
		}
		next.Tools = append(next.Tools, kept)
	}
	next.Listed = len(next.Tools)
	if r != nil {
		for _, old := range r.Tools {
			if !listed[old.Name] {
				old.Waiting = nil
				next.Tools = append(next.Tools, old)
			}
		}
	}
	next.Tools = next.Tools[:min(len(next.Tools), maxTools)]
	next.Listed = min(next.Listed, maxTools)
	next.limit()
	return next
}

// take records the current definition.
func (t *Tool) take(definition json.RawMessage, trusted bool) {
	hash := Sum(definition)
	if len(t.Approved)+len(t.Format1) > 0 && !trusted && !t.approves(hash, definition) {
		t.Waiting = &Waiting{Hash: hash, Definition: definition, Off: t.Waiting != nil && t.Waiting.Off}
		return
	}
	t.approve(hash, definition)
}

// approve makes a definition the one that is offered.
func (t *Tool) approve(hash Hash, definition json.RawMessage) {
	others := slices.DeleteFunc(slices.Clone(t.Approved), func(h Hash) bool { return h == hash || h == (Hash{}) })
	t.Approved = append(others[max(0, len(others)-maxApproved+1):], hash)
	t.Definition, t.Waiting, t.Format1 = definition, nil, nil
}

// approves reports whether a definition with this hash may be offered.
func (t *Tool) approves(hash Hash, definition json.RawMessage) bool {
	return slices.Contains(t.Approved, hash) || len(t.Format1) > 0 && slices.Contains(t.Format1, sumFormat1(definition))
}

// limit reduces a record to the limits and makes its index.
func (r *Record) limit() {
	texts, size := 0, 0
	keep := func(text *json.RawMessage) {
		if *text == nil {
			return
		}
		if texts+1 > maxTexts || size+len(*text) > maxText {
			*text = nil
			return
		}
		texts++
		size += len(*text)
	}
	r.index = make(map[string]int, len(r.Tools))
	for i := range r.Tools { // tools that wait for a person come first
		t := &r.Tools[i]
		r.index[t.Name] = i
		if t.Waiting != nil {
			keep(&t.Definition)
			w := *t.Waiting // copied, since another record may share it
			keep(&w.Definition)
			t.Waiting = &w
		}
	}
	for i := range r.Tools {
		if r.Tools[i].Waiting == nil {
			keep(&r.Tools[i].Definition)
		}
	}
}

// List returns the definitions in the server's last list, including those that wait for a person;
// [Record.Judge] says which do. whole is false if a definition was too large to store, or if the list is not
// known. The receiver may be nil.
func (r *Record) List() (definitions []json.RawMessage, whole bool) {
	if r == nil || r.Listed == 0 {
		return nil, false
	}
	whole = true
	for _, t := range r.Tools[:r.Listed] {
		definition := t.Definition
		if t.Waiting != nil {
			definition = t.Waiting.Definition
		}
		if definition = sound(definition); definition == nil {
			whole = false
			continue
		}
		definitions = append(definitions, definition)
	}
	return definitions, whole
}

// Latest returns the definition that the server listed last under a name, also if it waits for a person; nil
// if it is not known. The receiver may be nil.
func (r *Record) Latest(name string) json.RawMessage {
	if !r.Has(name) {
		return nil
	}
	t := r.Tools[r.index[key(name)]]
	if t.Waiting != nil {
		return sound(t.Waiting.Definition)
	}
	return sound(t.Definition)
}

// LatestVersion returns the server's latest version. The receiver may be nil.
func (r *Record) LatestVersion() string {
	if r == nil {
		return ""
	}
	return cmp.Or(r.Next, r.Version)
}

// Change is a changed tool that waits for a person.
type Change struct {
	Tool     string
	Old, New json.RawMessage // nil if too large to store
	Hash     Hash            // of the new one
	Off      bool            // the person has chosen to keep it off
}

// Changes returns the tools that wait, in the order of the server. The receiver may be nil.
func (r *Record) Changes() []Change {
	if r == nil {
		return nil
	}
	var changes []Change
	for _, t := range r.Tools {
		if t.Waiting != nil {
			changes = append(changes, Change{t.Name, sound(t.Definition), sound(t.Waiting.Definition), t.Waiting.Hash,
				t.Waiting.Off})
		}
	}
	return changes
}

// sound returns a definition, or nil if it is not valid JSON because another program has changed the file.
func sound(definition json.RawMessage) json.RawMessage {
	if !json.Valid(definition) {
		return nil
	}
	return definition
}

// decide returns the record after a person has decided about changes. A definition other than the one that
// was shown still waits.
func (r *Record) decide(changes []Change, approved bool) *Record {
	next, decided := &Record{Server: r.Server, Version: r.Version, Next: r.Next, Tools: slices.Clone(r.Tools),
		Listed: r.Listed, Met: r.Met, Lists: r.Lists, Words: r.Words, info: r.info}, false
	for _, change := range changes {
		at, ok := r.index[change.Tool]
		if !ok || r.Tools[at].Waiting == nil || r.Tools[at].Waiting.Hash != change.Hash {
			continue
		}
		t := &next.Tools[at]
		decided = true
		if approved {
			t.approve(change.Hash, t.Waiting.Definition)
		} else {
			t.Waiting = &Waiting{Hash: t.Waiting.Hash, Definition: t.Waiting.Definition, Off: true}
		}
	}
	if !decided {
		return r
	}
	if !slices.ContainsFunc(next.Tools, func(t Tool) bool { return t.Waiting != nil }) {
		next.Version, next.Next = next.Next, ""
	}
	next.limit()
	return next
}

// key returns the name under which a tool is stored.
func key(name string) string {
	if len(name) <= maxName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return name[:maxName/2] + "…" + hex.EncodeToString(sum[:])
}
