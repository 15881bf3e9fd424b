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
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
	"github.com/workbench-mcp/workbench-desktop/engine/order"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Options say for whom a file is made.
type Options struct {
	// Home is the user's folder; "" when it is not known.
	Home string

	// Extensions is the folder in which the files of extensions are. Servers from there are left out.
	Extensions string

	// Say puts what things are for into the file, in the user's language. Nil is English.
	Say func(words.Text) string
}

// File is a shared toolbox that is not written yet.
type File struct {
	Name string // suggested, with its ending
	Text []byte

	// Taken says what was replaced by a question or left out, for people: without secrets.
	Taken []Taken

	// Servers is how many servers are in the file.
	Servers int
}

// Taken is something of the toolbox that is not in the file.
type Taken struct {
	Server string
	What   words.Text
}

// Make makes the file of a toolbox. Nothing is written.
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
	members := []jsonrpc.Member{{Name: "workbenchToolbox", Value: jsonc.Value(Version)}, {Name: "name", Value: jsonc.Value(box.Name)}}
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

// Save writes a file, in place of what was there when somebody agreed to that; nil when nothing was.
func (f File) Save(path string, before []byte) error {
	err := atomicfile.Replace(path, f.Text, before)
	switch {
	case err == nil:
		return nil
	case atomicfile.IsFull(err):
		return words.NewError("share.not_written", "Path", path, "Why", words.New("store.save_full"))
	}
	return words.NewError("share.not_written", "Path", path, "Why", err)
}

// maker collects what the file asks for.
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

// server returns the entry of a server, in which questions replace the values that are not shared. It is not ok when the server would not work
// on another computer.
func (m *maker) server(original *config.Server) (entry json.RawMessage, ok bool) {
	if m.ofExtension(original) {
		m.taken(original.Name, words.New("share.extension"))
		return nil, false
	}
	s := paste.Replace(original, nil) // a copy
	known := paste.Of(*s, nil)
	secrets := map[string][]secret.Span{}
	for _, found := range known.Secrets {
		secrets[key(found.Part)] = append(secrets[key(found.Part)], secret.Span{Start: found.Start, End: found.Start + len(found.Text)})
	}
	paste.Each(s, func(place paste.Part, value *string) {
		*value = m.withoutSecrets(s, place, *value, secrets[key(place)])
		m.keyring(s, place, value)
		m.home(s, place, value)
	})
	if o := s.OAuth; o != nil {
		m.scope(o)
	}
	if s.TrustToolChanges || s.InheritEnv {
		s.TrustToolChanges, s.InheritEnv = false, false
		m.taken(s.Name, words.New("share.loosened"))
	}
	return paste.JSON(s), true
}

// again is how long a secret must be to be looked for elsewhere in its value, too: a short one could be any word.
const again = 8

// withoutSecrets replaces the secrets of a value, each where it was found: a short one may stand in the middle of another.
func (m *maker) withoutSecrets(s *config.Server, place paste.Part, value string, found []secret.Span) string {
	texts := random(place, value)
	for _, span := range found {
		if span.End-span.Start >= again {
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
	order.By(found, func(a, b secret.Span) int { return cmp.Compare(a.Start, b.Start) })
	ids := map[string]string{} // by secret
	var out strings.Builder
	done := 0
	for i := 0; i < len(found); {
		start, end := found[i].Start, found[i].End
		for i++; i < len(found) && found[i].Start < end; i++ { // they overlap
			end = max(end, found[i].End)
		}
		text := value[start:end]
		if ids[text] == "" {
			ids[text] = m.ask(s, place, paste.KindSecret, "")
			m.taken(s.Name, words.New("share.secret", "Where", where(place)))
		}
		out.WriteString(value[done:start] + placeholder(ids[text]))
		done = end
	}
	return out.String() + value[done:]
}

// scope takes secrets out of the scopes of a sign-in. None should be there.
func (m *maker) scope(o *config.OAuth) { o.Scope = m.plain(o.Scope) }

// key names the place of a value.
func key(place paste.Part) string {
	return place.Field + "\x00" + place.Name + "\x00" + strconv.Itoa(place.Index)
}

// kept matches references to the keychain, and those to variables that have a default.
var kept = lazyregexp.New(`\$\{(?:keyring:|([^}:]+):-)[^}]*\}`)

// keyring asks for what comes out of the keychain here, and for variables whose name says that their default is secret.
func (m *maker) keyring(s *config.Server, place paste.Part, value *string) {
	*value = kept.ReplaceAllStringFunc(*value, func(found string) string {
		if name := kept.FindStringSubmatch(found)[1]; name != "" && !secret.Key(name) {
			return found
		}
		m.taken(s.Name, words.New("share.keychain", "Where", where(place)))
		return placeholder(m.ask(s, place, paste.KindSecret, ""))
	})
}

// home replaces the user's folder. A whole value that is somewhere in it is a question, since others have other folders.
func (m *maker) home(s *config.Server, place paste.Part, value *string) {
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
		kind := paste.KindFolder
		if last := rest[strings.LastIndexAny(rest, `/\`)+1:]; strings.Contains(strings.Trim(last, "."), ".") {
			kind = paste.KindFile
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

// indexFolder finds the path of a folder that ends there; −1 when it is not in the text.
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

// ofExtension reports whether a server starts files that only this computer has.
func (m *maker) ofExtension(s *config.Server) bool {
	folder := m.options.Extensions
	return folder != "" && slices.ContainsFunc(append([]string{s.Command, s.Cwd}, s.Args...), func(word string) bool { return strings.Contains(word, folder) })
}

// ask adds a question for a place, and returns its id.
func (m *maker) ask(s *config.Server, place paste.Part, kind paste.Kind, fallback string) string {
	in := Input{Kind: string(kind), Default: fallback}
	label, hint := catalogue.Asks(s, place.Field, place.Name)
	if label.IsZero() {
		label = named(place, kind)
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

// named is what a question is called of which the catalogue knows nothing.
func named(place paste.Part, kind paste.Kind) words.Text {
	name := strings.TrimLeft(place.Name, "-")
	switch {
	case name != "":
		return words.Foreign(name)
	case kind == paste.KindFolder:
		return words.New("share.label_folder")
	case kind == paste.KindFile:
		return words.New("share.label_file")
	case place.Field == "url":
		return words.New("share.label_address")
	}
	return words.New("share.label_secret")
}

// idOf makes an id of a place.
func idOf(place paste.Part, kind paste.Kind) string {
	id := strings.Map(func(r rune) rune {
		if r < 128 && (r == '_' || r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
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

// where says where something stands: the name of the variable or header, else the field.
func where(place paste.Part) string {
	if name := strings.TrimLeft(place.Name, "-"); name != "" {
		return name
	}
	return place.Field
}

// random returns the parts of a value that look as if a machine had made them up: long, and without a form that is known. Here one too many is
// better than one too few, since it only is asked for.
func random(place paste.Part, value string) []string {
	switch place.Field {
	case "url":
		rest := afterHost(value)
		parts := slices.DeleteFunc(strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune("/?&=#", r) }), func(part string) bool { return !secret.Random(part) })
		_, query, _ := strings.Cut(rest, "?")
		return append(parts, slices.DeleteFunc(strings.FieldsFunc(query, func(r rune) bool { return strings.ContainsRune("?&=#", r) }), func(part string) bool { return !slashed(part) })...)
	case "env", "headers":
		if made.MatchString(value) && strings.ContainsAny(value, "0123456789") && (hex.MatchString(value) || strings.ToLower(value) != value && strings.ToUpper(value) != value) || slashed(value) {
			return []string{value}
		}
	}
	return nil
}

// slashed reports whether a text is base64 with a "/" in it, and no path: small letters, capitals and digits take turns in base64 far more often than
// in words. Of 82,000 paths of a computer, one was taken for base64; of random texts of 40 letters that have a "/", three in a thousand were not.
func slashed(text string) bool {
	text = strings.TrimRight(text, "=")
	if !letters.MatchString(text) || !strings.Contains(text, "/") {
		return false
	}
	var small, capital, digit, turns int
	before := ' '
	for _, r := range text {
		var kind rune
		switch {
		case r >= 'a' && r <= 'z':
			kind, small = 'a', small+1
		case r >= 'A' && r <= 'Z':
			kind, capital = 'A', capital+1
		case r >= '0' && r <= '9':
			kind, digit = '0', digit+1
		default:
			kind = ' '
		}
		if kind != ' ' && before != ' ' && kind != before {
			turns++
		}
		before = kind
	}
	return small*6 >= len(text) && capital*6 >= len(text) && digit > 0 && turns*20 >= len(text)*7
}

// afterHost is what of an address can have a key in it.
func afterHost(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		return rest[at:]
	}
	return ""
}

var (
	made    = lazyregexp.New(`^[A-Za-z0-9_+=.~-]{20,}$`)
	hex     = lazyregexp.New(`^[0-9a-fA-F-]{32,}$`)
	letters = lazyregexp.New(`^[A-Za-z0-9+/]{18,}$`)
)
