package add

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// candidate is a server that may be added, with what the user has filled in.
type candidate struct {
	included bool
	name     string
	fields   []*field
	notes    []string // what was changed or left out

	from   *catalogue.Entry // the catalogue's entry, if the server is from the catalogue
	pasted *foreign.Entry   // the entry that was pasted or typed, or nil

	extension *extension.Extension // the bundle, if the server is from one
	published *published           // the registry's entry, if the server is from a registry; then pasted is set, too

	agreed map[review.Use]bool // what the user has agreed to give to the server

	judged    *review.Review // the last result of judge
	judgedFor string         // identifies what judge was last called with
}

// judge returns the review of the candidate's entry. What was typed into fields for secrets is masked wherever it
// occurs. The result is cached, because a long text takes a moment.
func (c *candidate) judge(server *config.Server) *review.Review {
	var typed []string
	for _, f := range c.fields {
		if f.kind == kindSecret && !f.known && !strings.Contains(f.value, "${") {
			typed = append(typed, f.value)
		}
	}
	key := strings.Join(append(typed, string(server.Transport), string(foreign.JSON(server))), "\x00")
	if c.judged == nil || key != c.judgedFor {
		c.judged, c.judgedFor = review.Of(server, typed...), key
	}
	return c.judged
}

// kind says how a field is filled in.
type kind string

const (
	kindText   kind = "text"
	kindSecret kind = "secret"
	kindFolder kind = "folder"
	kindFile   kind = "file"
	kindURL    kind = "url"
	kindChoice kind = "choice"
	kindList   kind = "list"
)

// field is something to fill in.
type field struct {
	id       string // the ID of the catalogue's input or of the extension's setting; empty for a pasted entry
	label    string
	hint     string
	ours     bool // the hint is from the catalogue, so addresses in it can be links
	kind     kind
	of       kind // the kind of the values of a list
	required bool
	fallback string // used if the field stays empty
	options  []catalogue.Option

	value    string
	inFile   bool           // keep a secret in the file, not in the keychain
	known    bool           // the text contained the value
	parts    []foreign.Part // where the value belongs in a pasted entry
	optional bool           // leave out the parts while the field is empty

	setting *extension.Setting // the setting of an extension, or nil
}

// missing reports whether a required field is empty.
func (f *field) missing() bool {
	return f.required && strings.TrimSpace(f.value) == "" && f.fallback == ""
}

// problem returns a text that says what is wrong with the value, or "".
func (f *field) problem() string {
	value := strings.TrimSpace(f.value)
	switch {
	case value == "" || strings.Contains(value, "${"):
		return ""
	case f.kind == kindURL && !strings.HasPrefix(value, "http://") && !strings.HasPrefix(value, "https://"):
		return lang.L("A web address begins with https://")
	case f.setting != nil:
		return settingProblem(f.setting, value)
	}
	return ""
}

// fromCatalogue returns a candidate for a server of the catalogue.
func fromCatalogue(entry catalogue.Entry) *candidate {
	c := &candidate{included: true, name: entry.ID, from: &entry}
	for _, in := range entry.Inputs {
		f := &field{id: in.ID, label: kit.Say(in.Label), hint: kit.Say(in.Hint), ours: true, kind: kind(in.Kind),
			of: kind(in.Of), required: in.Required, fallback: in.Default, options: in.Options}
		c.fields = append(c.fields, f)
	}
	return c
}

// fromText returns candidates for the servers found in a text.
func fromText(found foreign.Found) []*candidate {
	var all []*candidate
	for i := range found.Entries {
		all = append(all, fromEntry(&found.Entries[i]))
	}
	distinct(all)
	return all
}

// fromEntry returns a candidate for an entry found in a text.
func fromEntry(e *foreign.Entry) *candidate {
	c := &candidate{included: true, name: e.Server.Name, pasted: e, notes: kit.Words().Texts(e.Notes),
		agreed: map[review.Use]bool{}}
	for _, b := range e.Blanks {
		f := &field{label: kit.Say(b.Label), hint: kit.Say(b.Hint), kind: kind(b.Kind), required: !b.Optional,
			optional: b.Optional, fallback: b.Default, parts: b.Parts}
		for _, option := range b.Options {
			f.options = append(f.options, catalogue.Option{Label: words.Foreign(option), Value: option})
		}
		if f.kind == kindChoice && len(f.options) == 0 {
			f.kind = kindText
		}
		c.fields = append(c.fields, f)
	}
	for _, s := range e.Secrets {
		f := &field{label: secretLabel(s), kind: kindSecret, known: true, required: true, value: s.Text,
			parts: []foreign.Part{s.Part}}
		c.fields = append(c.fields, f)
	}
	return c
}

func secretLabel(s foreign.Secret) string {
	switch {
	case s.Name != "":
		return s.Name
	case s.Field == "url":
		return lang.L("Key in the address")
	}
	return lang.L("Secret")
}

// distinct renames candidates so that no two have the same name.
func distinct(candidates []*candidate) {
	var names []string
	for _, c := range candidates {
		if slices.Contains(names, c.name) {
			c.name = edit.CopyName(c.name, names)
		}
		names = append(names, c.name)
	}
}

// secretEntry is a value to store in the keychain before the server is added.
type secretEntry struct{ name, value string }

// server returns the entry with the values of the fields, and the secrets to store in the keychain. A missing value is
// a placeholder, or what the pasted text has there, so that the preview has something to show. [candidate.complete]
// reports whether values are missing.
func (c *candidate) server(toolbox string) (*config.Server, []secretEntry) {
	var secrets []secretEntry
	// keep returns what the entry contains for the value of a field: the value, or a reference to the keychain.
	keep := func(f *field, part foreign.Part) string {
		value := strings.TrimSpace(f.value)
		if f.inFile || f.kind != kindSecret || value == "" || strings.Contains(value, "${") {
			return value
		}
		wanted := foreign.KeychainName(toolbox+"/"+c.name, part)
		name := wanted
		for i := 2; slices.ContainsFunc(secrets, func(s secretEntry) bool {
			return s.name == name && s.value != value
		}); i++ {
			name = wanted + "-" + strconv.Itoa(i)
		}
		if !slices.Contains(secrets, secretEntry{name, value}) {
			secrets = append(secrets, secretEntry{name, value})
		}
		return "${keyring:" + name + "}"
	}
	var server *config.Server
	switch {
	case c.extension != nil:
		server = c.extensionServer(keep)
	case c.from != nil:
		if server = c.catalogueServer(keep); server == nil {
			return &config.Server{Name: c.name}, nil
		}
	default:
		server = c.pastedServer(keep)
	}
	return server, secrets
}

// catalogueServer returns the entry of a server of the catalogue, or nil if it cannot be created.
func (c *candidate) catalogueServer(keep func(*field, foreign.Part) string) *config.Server {
	values := map[string]string{}
	for _, f := range c.fields {
		switch {
		case f.missing() || f.problem() != "" && f.kind != kindList:
			values[f.id] = placeholder(f)
		case f.kind == kindList:
			values[f.id] = f.value
		default:
			values[f.id] = keep(f, foreign.Part{Field: "env", Name: f.id})
		}
	}
	_, entry, err := c.from.Fill(values)
	if err != nil {
		return nil
	}
	server, _, _ := foreign.Read(c.name, entry)
	return server
}

// pastedServer returns the entry that was pasted or typed, with the values of the fields.
func (c *candidate) pastedServer(keep func(*field, foreign.Part) string) *config.Server {
	var replacements []foreign.Replacement
	var unanswered []foreign.Part
	for _, f := range c.fields {
		if strings.TrimSpace(f.value) == "" && f.fallback == "" {
			if f.optional {
				unanswered = append(unanswered, f.parts...)
			}
			continue
		}
		for _, part := range f.parts {
			replacements = append(replacements, foreign.Replacement{Part: part, With: cmp.Or(keep(f, part), f.fallback)})
		}
	}
	server := foreign.Drop(foreign.Replace(&c.pasted.Server, replacements), unanswered)
	server.Name = c.name
	return server
}

// placeholder returns what the preview shows for a missing value.
func placeholder(f *field) string {
	if f.kind == kindURL {
		return "https://…"
	}
	return "‹" + f.label + "›"
}

// complete reports whether every required field is filled in and no value is wrong.
func (c *candidate) complete() bool {
	return !slices.ContainsFunc(c.fields, func(f *field) bool { return f.missing() || f.problem() != "" })
}
