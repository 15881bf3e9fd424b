package share

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Options say how a file is made.
type Options struct {
	// Home is the user's home folder; "" if it is not known.
	Home string

	// Extensions is the folder with the files of extensions. Servers that start from there are left out.
	Extensions string

	// Say turns the descriptions of questions into text in the user's language. Nil means English.
	Say func(words.Text) string
}

// File is a shared toolbox that has not been written yet.
type File struct {
	Name string // a suggestion, with the extension
	Text []byte

	// Taken says what was replaced by a question or left out, for people and without secrets.
	Taken []Taken

	// Servers is the number of servers in the file.
	Servers int
}

// Taken is a part of the toolbox that is not in the file.
type Taken struct {
	Server string
	What   words.Text
}

// Make makes the file of a toolbox. It does not write it.
func Make(box *config.Toolbox, o Options) (File, error) {
	if o.Say == nil {
		o.Say = func(t words.Text) string { return t.String() }
	}
	m := &maker{options: o, ids: map[string]bool{}, file: File{Name: FileName(box.Name)}}
	var servers []jsonrpc.Member
	for _, s := range box.Servers {
		if entry, ok := m.server(s); ok {
			servers = append(servers, jsonrpc.Member{Name: s.Name, Value: entry})
		}
	}
	m.file.Servers = len(servers)
	if len(servers) == 0 && len(box.Servers) > 0 {
		return m.file, words.NewError("share.nothing_left", "Toolbox", box.Name)
	}
	members := []jsonrpc.Member{{Name: "workbenchToolbox", Value: jsonc.Value(Version)},
		{Name: "name", Value: jsonc.Value(box.Name)}}
	if description := m.plain(box.Description); description != "" {
		members = append(members, jsonrpc.Member{Name: "description", Value: jsonc.Value(description)})
	}
	if len(m.inputs) > 0 {
		members = append(members, jsonrpc.Member{Name: "inputs", Value: jsonc.Value(m.inputs)})
	}
	members = append(members, jsonrpc.Member{Name: "mcpServers", Value: jsonrpc.AppendObject(nil, servers)})
	var text bytes.Buffer
	if err := json.Indent(&text, jsonrpc.AppendObject(nil, members), "", "  "); err != nil {
		return m.file, err
	}
	text.WriteByte('\n')
	if text.Len() > MaxSize {
		return m.file, words.NewError("share.too_large", "KiB", MaxSize>>10)
	}
	m.file.Text = text.Bytes()
	return m.file, nil
}

// Save writes the file to a path. before is the content that the user agreed to replace; nil means that there
// must be no file.
func (f File) Save(path string, before []byte) error {
	err := atomicfile.Replace(path, f.Text, before)
	if err == nil {
		return nil
	}
	return words.NewError("share.not_written", "Path", path, "Why", err)
}

// maker collects the questions of the file.
type maker struct {
	options Options
	file    File
	inputs  []Input
	ids     map[string]bool
}

func (m *maker) taken(server string, what words.Text) {
	m.file.Taken = append(m.file.Taken, Taken{server, what})
}

// plain returns a text without its secrets.
func (m *maker) plain(text string) string { return secret.Mask(text) }

// server returns a server's entry in which questions replace the values that are not shared. ok is false if
// the server would not work on another computer.
func (m *maker) server(original *config.Server) (entry json.RawMessage, ok bool) {
	if m.ofExtension(original) {
		m.taken(original.Name, words.New("share.extension"))
		return nil, false
	}
	s := foreign.Replace(original, nil) // a copy
	known := foreign.Of(*s, nil)
	secrets := map[string][]secret.Span{}
	for _, found := range known.Secrets {
		secrets[key(found.Part)] = append(secrets[key(found.Part)],
			secret.Span{Start: found.Start, End: found.Start + len(found.Text)})
	}
	arguments, _ := secret.InCommand(s.Command, s.Args)
	foreign.Each(s, func(place foreign.Part, value *string) {
		found := secrets[key(place)]
		if place.Field == "args" && arguments[place.Index].Code {
			found = append(found, secret.InCode(*value)...)
		}
		*value = m.withoutSecrets(s, place, *value, found)
		m.keyring(s, place, value)
		m.home(s, place, value)
	})
	if slices.ContainsFunc(arguments, func(a secret.Argument) bool {
		return a.Code && launcher.Of(a.Program).Kind != launcher.Unknown
	}) {
		m.taken(s.Name, words.New("share.code"))
	}
	if o := s.OAuth; o != nil {
		o.Scope = m.plain(o.Scope) // there should be no secret in it
	}
	if s.TrustToolChanges || s.InheritEnv || s.Share != nil && *s.Share {
		s.TrustToolChanges, s.InheritEnv, s.Share = false, false, nil
		m.taken(s.Name, words.New("share.loosened"))
	}
	return foreign.JSON(s), true
}

// minRepeated is the shortest secret, in bytes, that is also searched for elsewhere in its value. A shorter one
// could be part of any word.
const minRepeated = 8

// withoutSecrets replaces the secrets of a value, each only where it was found: the text of a short secret
// may also be part of another word.
func (m *maker) withoutSecrets(s *config.Server, place foreign.Part, value string, found []secret.Span) string {
	texts := random(place, value)
	for _, span := range found {
		if span.End-span.Start >= minRepeated {
			texts = append(texts, value[span.Start:span.End])
		}
	}
	for _, text := range texts {
		for at := 0; ; at += len(text) {
			next := strings.Index(value[at:], text)
			if next < 0 {
				break
			}
			at += next
			found = append(found, secret.Span{Start: at, End: at + len(text)})
		}
	}
	slices.SortStableFunc(found, func(a, b secret.Span) int { return cmp.Compare(a.Start, b.Start) })
	ids := map[string]string{} // by secret
	var out strings.Builder
	done := 0
	for i := 0; i < len(found); {
		start, end := found[i].Start, found[i].End
		for i++; i < len(found) && found[i].Start < end; i++ { // overlapping secrets are one
			end = max(end, found[i].End)
		}
		text := value[start:end]
		if ids[text] == "" {
			at := place
			if name := secret.NameAt(value, start); place.Field == "args" && name != "" { // not the flag before the code
				at.Name = name
			}
			ids[text] = m.ask(s, at, foreign.KindSecret, "")
			m.taken(s.Name, words.New("share.secret", "Where", where(at)))
		}
		out.WriteString(value[done:start] + placeholder(ids[text]))
		done = end
	}
	return out.String() + value[done:]
}

// key returns a key for the place of a value.
func key(place foreign.Part) string {
	return place.Field + "\x00" + place.Name + "\x00" + strconv.Itoa(place.Index)
}

// keyring replaces references to the keychain, and references whose variable has a name that makes its
// default a secret, by questions.
func (m *maker) keyring(s *config.Server, place foreign.Part, value *string) {
	*value = config.ReplaceReferences(*value, func(reference string) string {
		if !slices.ContainsFunc(config.References(reference), func(r config.Reference) bool {
			return r.Keyring || r.HasDefault && secret.Key(r.Name)
		}) {
			return reference
		}
		m.taken(s.Name, words.New("share.keychain", "Where", where(place)))
		return placeholder(m.ask(s, place, foreign.KindSecret, ""))
	})
}

// home replaces the user's home folder. A value that is entirely a path in it becomes a question, since other
// users have other folders.
func (m *maker) home(s *config.Server, place foreign.Part, value *string) {
	home := strings.TrimRight(m.options.Home, `/\`)
	if len(home) < 3 || place.Field == "url" || place.Field == "headers" || place.Field == "oauth" {
		return
	}
	at := indexFolder(*value, home)
	if at < 0 {
		return
	}
	rest := (*value)[at+len(home):]
	hidden := strings.HasPrefix(rest, "/.") || strings.HasPrefix(rest, `\.`) || strings.HasPrefix(rest, `\AppData\`)
	if at == 0 && len(rest) > 1 && !hidden && place.Field != "command" && !strings.ContainsAny(rest, ":;,") {
		kind := foreign.KindFolder
		if last := rest[strings.LastIndexAny(rest, `/\`)+1:]; strings.Contains(strings.Trim(last, "."), ".") {
			kind = foreign.KindFile
		}
		*value = placeholder(m.ask(s, place, kind, ""))
		m.taken(s.Name, words.New("share.folder", "Where", where(place)))
		return
	}
	for at := indexFolder(*value, home); at >= 0; at = indexFolder(*value, home) {
		*value = (*value)[:at] + "${HOME}" + (*value)[at+len(home):]
	}
	m.taken(s.Name, words.New("share.home", "Where", where(place)))
}

// indexFolder returns the index of a folder in a text, where the folder's name must end; −1 if it is not
// there.
func indexFolder(text, folder string) int {
	windows := strings.Contains(folder, `\`)
	searched := text
	if windows {
		searched, folder = strings.ToLower(text), strings.ToLower(folder)
		if len(searched) != len(text) {
			return -1
		}
	}
	for from := 0; ; {
		i := strings.Index(searched[from:], folder)
		if i < 0 {
			return -1
		}
		i += from
		if end := i + len(folder); end == len(text) || strings.ContainsRune("/\\:;,\"' ", rune(text[end])) {
			return i
		}
		from = i + 1
	}
}

// ofExtension reports whether a server starts files that exist only on this computer.
func (m *maker) ofExtension(s *config.Server) bool {
	folder := m.options.Extensions
	return folder != "" && slices.ContainsFunc(append([]string{s.Command, s.Cwd}, s.Args...), func(word string) bool {
		return strings.Contains(word, folder)
	})
}

// ask adds a question for a value, and returns its id.
func (m *maker) ask(s *config.Server, place foreign.Part, kind foreign.Kind, fallback string) string {
	in := Input{Kind: string(kind), Default: fallback}
	label, hint := catalogue.Asks(s, place.Field, place.Name)
	if label.IsZero() {
		label = labelOf(place, kind)
	}
	in.Label = m.options.Say(label)
	if !hint.IsZero() {
		in.Hint = m.options.Say(hint)
	}
	base := idOf(place, kind)
	in.ID = base
	for i := 2; m.ids[in.ID]; i++ {
		in.ID = base + "-" + strconv.Itoa(i)
	}
	m.ids[in.ID] = true
	m.inputs = append(m.inputs, in)
	return in.ID
}

// labelOf returns the label of a question that the catalogue does not know.
func labelOf(place foreign.Part, kind foreign.Kind) words.Text {
	name := strings.TrimLeft(place.Name, "-")
	switch {
	case name != "":
		return words.Foreign(name)
	case kind == foreign.KindFolder:
		return words.New("share.label_folder")
	case kind == foreign.KindFile:
		return words.New("share.label_file")
	case place.Field == "url":
		return words.New("share.label_address")
	}
	return words.New("share.label_secret")
}

// idOf makes an id from the place of a value.
func idOf(place foreign.Part, kind foreign.Kind) string {
	id := strings.Map(func(r rune) rune {
		if r < 128 && (r == '_' || r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' &&
			r <= 'Z') {
			return r
		}
		return -1
	}, strings.TrimLeft(place.Name, "-"))
	if len(id) > maxID/2 {
		id = id[:maxID/2]
	}
	if id == "" {
		id = string(kind)
	}
	return id
}

// where returns a name for the place of a value: the variable or header, else the field.
func where(place foreign.Part) string {
	if name := strings.TrimLeft(place.Name, "-"); name != "" {
		return name
	}
	return place.Field
}
