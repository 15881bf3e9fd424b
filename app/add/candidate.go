package add

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/review"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// candidate is a server that may be added, with what the user has filled in.
type candidate struct {
	included bool
	name     string
	fields   []*field
	notes    []string // what was translated or left out

	from   *catalogue.Entry // of the catalogue, else nil
	pasted *paste.Entry     // from a text or by hand, else nil

	extension *extension.Extension // from a bundle, else nil
	published *published           // of a registry; pasted is the entry then

	agreed map[review.Use]bool // what the user has agreed that it gets

	judged    *review.Review // of what stands in judgedFor
	judgedFor string
}

// judge judges the candidate's entry. What was typed into fields for secrets is masked wherever it stands. While nothing has changed, the
// judgement stays: a long text takes a moment.
func (c *candidate) judge(server *config.Server) *review.Review {
	var typed []string
	for _, f := range c.fields {
		if f.kind == kindSecret && !f.known && !strings.Contains(f.value, "${") {
			typed = append(typed, f.value)
		}
	}
	key := strings.Join(append(typed, string(server.Transport), string(paste.JSON(server))), "\x00")
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
	id       string // of the catalogue's input, or of the extension's setting
	label    string
	hint     string
	ours     bool // the hint is the catalogue's, so that addresses in it can be followed
	kind     kind
	of       kind // of a list
	required bool
	fallback string // is taken when it stays empty
	options  []catalogue.Option

	value    string
	keychain bool         // its value goes to the keychain
	known    bool         // the text had the value: it is only a question of where it is kept
	parts    []paste.Part // where it goes in a pasted entry
	optional bool         // what it goes to is left out while it has no value

	setting *extension.Setting // of an extension, else nil
}

// missing reports whether a required field is empty.
func (f *field) missing() bool {
	return f.required && strings.TrimSpace(f.value) == "" && f.fallback == ""
}

// problem says in words what is wrong with the value, or "".
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

// fromCatalogue makes a candidate of a server of the catalogue.
func fromCatalogue(entry catalogue.Entry) *candidate {
	c := &candidate{included: true, name: entry.ID, from: &entry}
	for _, in := range entry.Inputs {
		f := &field{id: in.ID, label: kit.Say(in.Label), hint: kit.Say(in.Hint), ours: true, kind: kind(in.Kind), of: kind(in.Of), required: in.Required, fallback: in.Default, options: in.Options}
		f.keychain = f.kind == kindSecret
		c.fields = append(c.fields, f)
	}
	return c
}

// fromText makes candidates of what was found in a text.
func fromText(found paste.Found) []*candidate {
	var all []*candidate
	for i := range found.Entries {
		all = append(all, fromEntry(&found.Entries[i]))
	}
	distinct(all)
	return all
}

// fromEntry makes a candidate of an entry that was found.
func fromEntry(e *paste.Entry) *candidate {
	c := &candidate{included: true, name: e.Server.Name, pasted: e, notes: words.English().Texts(e.Notes), agreed: map[review.Use]bool{}}
	for _, b := range e.Blanks {
		f := &field{label: kit.Say(b.Label), hint: kit.Say(b.Hint), kind: kind(b.Kind), required: !b.Optional, optional: b.Optional, fallback: b.Default, parts: b.Parts}
		for _, option := range b.Options {
			f.options = append(f.options, catalogue.Option{Label: words.Foreign(option), Value: option})
		}
		if f.kind == kindChoice && len(f.options) == 0 {
			f.kind = kindText
		}
		f.keychain = f.kind == kindSecret
		c.fields = append(c.fields, f)
	}
	for _, s := range e.Secrets {
		f := &field{label: secretLabel(s), kind: kindSecret, known: true, required: true, value: s.Text, keychain: true, parts: []paste.Part{s.Part}}
		c.fields = append(c.fields, f)
	}
	return c
}

func secretLabel(s paste.Secret) string {
	switch {
	case s.Name != "":
		return s.Name
	case s.Field == "url":
		return lang.L("Key in the address")
	}
	return lang.L("Secret")
}

// distinct gives candidates that have the same name different ones.
func distinct(candidates []*candidate) {
	var names []string
	for _, c := range candidates {
		if slices.Contains(names, c.name) {
			c.name = edit.CopyName(c.name, names)
		}
		names = append(names, c.name)
	}
}

// secretEntry is a value to be stored in the keychain before the server is added.
type secretEntry struct{ name, value string }

// server is the entry with what was filled in, and the secrets that go to the keychain. What is missing stays as the text
// has it, so that there is something to look at meanwhile; see [candidate.complete].
func (c *candidate) server(toolbox string) (*config.Server, []secretEntry) {
	var secrets []secretEntry
	// keep returns what stands in the entry for the value of a field: the value, or a reference to the keychain.
	keep := func(f *field, part paste.Part) string {
		value := strings.TrimSpace(f.value)
		if !f.keychain || f.kind != kindSecret || value == "" || strings.Contains(value, "${") {
			return value
		}
		wanted := paste.KeychainName(toolbox+"/"+c.name, part)
		name := wanted
		for i := 2; slices.ContainsFunc(secrets, func(s secretEntry) bool { return s.name == name && s.value != value }); i++ {
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

// catalogueServer is the entry of a server of the catalogue; nil when it cannot be made.
func (c *candidate) catalogueServer(keep func(*field, paste.Part) string) *config.Server {
	values := map[string]string{}
	for _, f := range c.fields {
		switch {
		case f.missing() || f.problem() != "" && f.kind != kindList:
			values[f.id] = placeholder(f)
		case f.kind == kindList:
			values[f.id] = f.value
		default:
			values[f.id] = keep(f, paste.Part{Field: "env", Name: f.id})
		}
	}
	_, entry, err := c.from.Fill(values)
	if err != nil {
		return nil
	}
	server, _, _ := paste.Read(c.name, entry)
	return server
}

// pastedServer is the entry that was pasted or typed.
func (c *candidate) pastedServer(keep func(*field, paste.Part) string) *config.Server {
	var replacements []paste.Replacement
	var unanswered []paste.Part
	for _, f := range c.fields {
		if strings.TrimSpace(f.value) == "" && f.fallback == "" {
			if f.optional {
				unanswered = append(unanswered, f.parts...)
			}
			continue
		}
		for _, part := range f.parts {
			replacements = append(replacements, paste.Replacement{Part: part, With: cmp.Or(keep(f, part), f.fallback)})
		}
	}
	server := paste.Drop(paste.Replace(&c.pasted.Server, replacements), unanswered)
	server.Name = c.name
	return server
}

// placeholder stands for a value that is not there yet, in the preview.
func placeholder(f *field) string {
	if f.kind == kindURL {
		return "https://…"
	}
	return "‹" + f.label + "›"
}

// complete reports whether every required field is filled in.
func (c *candidate) complete() bool {
	return !slices.ContainsFunc(c.fields, func(f *field) bool { return f.missing() || f.problem() != "" })
}
