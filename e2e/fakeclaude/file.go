package fakeclaude

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// file is its file in memory. Members keep their order, as in JavaScript.
type file struct {
	path    string
	members []member
}

type member struct {
	name  string
	value json.RawMessage
}

// entry is a server that it can start.
type entry struct {
	name    string
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

const group = "mcpServers"

// load reads the file. If anything is wrong with it, it counts as empty.
func load(path string) *file {
	f := &file{path: path}
	source, err := os.ReadFile(path)
	if err != nil {
		return f
	}
	members, ok := object(source)
	if !ok {
		return f
	}
	for _, m := range members {
		if m.name == group {
			if servers, ok := object(m.value); !ok || !known(servers) {
				return f
			}
		}
	}
	f.members = members
	return f
}

// known reports whether all entries have a known form: an object, whose command, if it has one, is a string.
func known(servers []member) bool {
	for _, server := range servers {
		var one entry
		if _, ok := object(server.value); !ok || json.Unmarshal(server.value, &one) != nil {
			return false
		}
	}
	return true
}

// object splits strict JSON into its members. If a name occurs twice, the second value counts.
func object(source []byte) (members []member, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(source))
	if !json.Valid(source) {
		return nil, false
	}
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, false
		}
		m := member{name: name.(string)}
		if decoder.Decode(&m.value) != nil {
			return nil, false
		}
		members = put(members, m)
	}
	return members, true
}

func put(members []member, m member) []member {
	for i := range members {
		if members[i].name == m.name {
			members[i].value = m.value
			return members
		}
	}
	return append(members, m)
}

// entries returns the servers that can be started. Servers on the web are skipped.
func (f *file) entries() []entry {
	var all []entry
	for _, m := range f.members {
		if m.name != group {
			continue
		}
		servers, _ := object(m.value)
		for _, server := range servers {
			one := entry{name: server.name}
			if json.Unmarshal(server.value, &one) == nil && one.Command != "" {
				all = append(all, one)
			}
		}
	}
	return all
}

func (f *file) set(name string, value json.RawMessage) {
	f.members = put(f.members, member{name, value})
}

// remove removes a server.
func (f *file) remove(name string) {
	for i, m := range f.members {
		if m.name != group {
			continue
		}
		servers, _ := object(m.value)
		var left []member
		for _, server := range servers {
			if server.name != name {
				left = append(left, server)
			}
		}
		f.members[i].value = text(left)
	}
}

// text returns an object on one line, as JavaScript writes it.
func text(members []member) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(m.name) // a string can always be marshalled
		b.Write(name)
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// write writes everything in memory, without reading the current file.
func (f *file) write() error {
	var b bytes.Buffer
	if err := json.Indent(&b, compact(text(f.members)), "", "  "); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(f.path, b.Bytes(), 0o600)
}

func compact(source []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, source) != nil {
		return source
	}
	return b.Bytes()
}
