package imports

import (
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// client takes what one app has.
func (p *planner) client(id string) {
	files := sources(p.options.System, id)
	if len(files) == 0 {
		p.skip(Origin{Client: id, App: Name(id)}, words.New("imports.no_file"))
	}
	for _, s := range files {
		p.source(s)
	}
}

// file takes what a file has that somebody named.
func (p *planner) file(path string) {
	s := source{name: filepath.Base(path), path: path, format: client.JSONC, keys: allKeys()}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".toml":
		s.format = client.TOML
	case ".yaml", ".yml":
		s.format = client.YAML
	}
	before := len(p.plan.Servers) + len(p.plan.Skipped)
	p.source(s)
	if len(p.plan.Servers)+len(p.plan.Skipped) == before && !slices.ContainsFunc(p.plan.Servers, func(f Found) bool {
		return slices.ContainsFunc(f.Same, func(o Origin) bool { return o.File == path })
	}) {
		p.skip(Origin{App: s.name, File: path}, words.New("imports.no_servers"))
	}
}

// source takes what one file has.
func (p *planner) source(s source) {
	from := Origin{Client: s.id, App: s.name, File: s.path}
	data, problem := read(s.path)
	if !problem.IsZero() {
		p.skip(from, problem)
		return
	}
	d, problem := parse(data, s.format)
	if problem.IsZero() {
		problem = p.list(from, d, s.keys)
	}
	if !problem.IsZero() {
		p.skip(from, problem)
		return
	}
	if s.id == "claude-code" {
		p.ofProjects(from, d)
	}
}

// maxInputs is how many bytes the description of what an app asks for may have. It is read again for every server that asks.
const maxInputs = 64 << 10

// list takes the entries of a document.
func (p *planner) list(from Origin, d document, keys [][]string) (problem words.Text) {
	entries, problem := d.entries(keys)
	var inputs []byte
	if list := d.at("inputs"); list != nil && list.Kind == jsonc.Array {
		if inputs = asJSON(list); len(inputs) > maxInputs {
			inputs = nil
		}
	}
	for i, m := range entries {
		if i == maxServers {
			return words.New("imports.too_many_servers", "Most", maxServers)
		}
		p.entry(from, m, inputs)
	}
	return problem
}

// maxProjects is how many projects of Claude Code are looked at.
const maxProjects = 300

// ofProjects takes what Claude Code has for single projects: in its own file, and in the .mcp.json of their folders. When nobody asked
// for them, those in its own file are counted.
func (p *planner) ofProjects(from Origin, d document) {
	projects := d.at("projects")
	if projects == nil {
		return
	}
	for i, project := range members(projects) {
		if i == maxProjects {
			p.plan.Notes = append(p.plan.Notes, words.New("imports.too_many_projects", "Most", maxProjects))
			return
		}
		own := document{project.value}
		key := [][]string{{"mcpServers"}}
		if !p.options.Projects {
			entries, _ := own.entries(key)
			p.projects += len(entries)
			continue
		}
		from.Project = project.name
		_ = p.list(from, own, key) // anything but a list there is no server
		shared := filepath.Join(project.name, ".mcp.json")
		if !filepath.IsAbs(shared) {
			continue
		}
		s := Origin{Client: from.Client, App: from.App, File: shared, Project: project.name}
		data, problem := read(shared)
		if problem.Code == noSuchFile {
			continue
		}
		var d document
		if problem.IsZero() {
			d, problem = parse(data, client.JSON)
		}
		if problem.IsZero() {
			problem = p.list(s, d, key)
		}
		if !problem.IsZero() {
			p.skip(s, problem)
		}
	}
}

// foreign matches references that only the app knows that has them. Those that package paste knows are left to it.
var foreign = lazyregexp.New(`\$\{([A-Za-z]+):([^-}"\\$][^}"\\$]{0,100})\}`)

// entry translates one entry.
func (p *planner) entry(from Origin, m member, inputs []byte) {
	from.Name = m.name
	raw := asJSON(m.value)
	from.seen = fingerprint(raw)
	var asked []string
	raw = foreign.ReplaceAllFunc(raw, func(found []byte) []byte {
		parts := foreign.FindSubmatch(found)
		switch string(parts[1]) {
		case "env", "input", "keyring":
			return found
		}
		text := "<" + string(parts[1]) + ":" + string(parts[2]) + ">"
		asked = append(asked, text)
		return []byte(text)
	})
	text := `{"mcpServers":{` + string(quoteJSON(inLine(m.name))) + ":" + string(raw) + "}"
	if m.name == "" {
		text = `{"mcpServers":[` + string(raw) + "]"
	}
	if inputs != nil && strings.Contains(string(raw), "${input:") {
		text += `,"inputs":` + string(inputs)
	}
	found, err := paste.Parse(text + "}")
	if err != nil || len(found.Entries) == 0 || found.Kind.Code != "paste.kind_mcp_servers" && found.Kind.Code != "paste.kind_list" {
		// Also when something was found that only looks like a server, such as an address in the settings of something else.
		p.skip(from, p.whyNone(from, m, err))
		return
	}
	e := found.Entries[0]
	if isOurs(&e.Server) {
		p.skip(from, words.New("imports.ourselves"))
		return
	}
	f := Found{Origin: from, As: named(m.name, e.Server.Name), Entry: e.Server, Notes: pasted(found.Notes, e.Notes)}
	f.Entry.Name = f.As
	if m.twice {
		f.Notes = append(f.Notes, words.New("imports.twice"))
	}
	for _, s := range e.Secrets {
		f.Secrets = append(f.Secrets, Secret{Part: s.Part, Where: strings.TrimSpace(s.Field + " " + plain(s.Name))})
	}
	f.fill(e.Blanks, asked, keepsValues(m))
	for _, d := range paste.Diagnose(&f.Entry) {
		if d.Severity == config.SeverityError {
			p.skip(from, words.New("imports.not_writable", "Why", d.Message.Map(plain)))
			return
		}
	}
	p.add(f)
}

// maxName is how many bytes the name of a server may have.
const maxName = 100

// named is what a server is called here: as in the app, if that is a name, else as it is suggested.
func named(given, suggested string) string {
	for _, name := range []string{given, suggested} {
		name = strings.TrimSpace(inLine(name))
		if edit.CheckName("server", name) == nil && len(name) <= maxName {
			return name
		}
	}
	return "server"
}

// whyNone says why nothing was found in an entry.
func (p *planner) whyNone(from Origin, m member, err error) words.Text {
	if m.value.Kind != jsonc.Object {
		return words.New("imports.no_entry")
	}
	var why *paste.Error
	if size := len(m.value.Raw()); size > paste.MaxSize/2 && errors.As(err, &why) {
		return why.Message
	}
	if from.Client == "" {
		return words.New("imports.no_command_router")
	}
	return words.New("imports.no_command", "App", from.App)
}

// pasted returns notes of package paste, with what they repeat of the text in one line.
func pasted(lists ...[]words.Text) Texts {
	var notes Texts
	for _, note := range slices.Concat(lists...) {
		note.Foreign, note.Args = inLine(note.Foreign), maps.Clone(note.Args)
		for name, value := range note.Args {
			if text, ok := value.(string); ok {
				note.Args[name] = inLine(text)
			}
		}
		notes = append(notes, note)
	}
	return notes
}

// inLine takes out of a note what a terminal would obey.
func inLine(note string) string {
	return strings.Join(strings.FieldsFunc(note, visible.Hidden), " ")
}

// keepsValues reports whether the app has values of its own that the entry only names, as Goose has.
func keepsValues(m member) bool {
	return slices.ContainsFunc(members(m.value), func(part member) bool {
		return part.name == "env_keys" && part.value.Kind == jsonc.Array && len(part.value.Children) > 0
	})
}

// fill deals with what has to be filled in. What the app would put in itself, nobody puts in here: the entry is switched off and says
// what is missing. What only looks like a blank stays as it is, since it works in the app or doesn't.
func (f *Found) fill(blanks []paste.Blank, asked []string, keepsValues bool) {
	var replacements []paste.Replacement
	off := false
	for _, blank := range blanks {
		text := blank.Parts[0].Text
		reference := strings.HasPrefix(text, "${") || strings.HasPrefix(text, "$(") || strings.HasPrefix(text, "`") || slices.Contains(asked, text)
		name := plain(blank.Label.String())
		inner := strings.TrimPrefix(strings.Trim(text, "<>${}`()"), "input:")
		switch {
		case reference && blank.Default != "" && !strings.Contains(blank.Default, "${"):
			replacements = replace(replacements, blank, blank.Default)
			f.Notes = append(f.Notes, words.New("imports.usual_value", "App", f.App, "Name", plain(name)))
			continue
		case blank.Kind == paste.KindSecret && strings.HasPrefix(text, "${input:"):
			keep := askedName(f.As, inner)
			f.asked = append(f.asked, inner)
			replacements = replace(replacements, blank, "${keyring:"+keep+"}")
			f.Notes = append(f.Notes, words.New("imports.keep_in_keychain", "App", f.App, "Name", plain(name), "Keep", plain(keep)))
			off = true
		case reference:
			replacements = replace(replacements, blank, "<"+inner+">")
			f.Notes = append(f.Notes, words.New("imports.write_value", "App", f.App, "Name", plain(inner)))
			name, off = plain(inner), true
		case blank.Parts[0].Field != "env" && blank.Parts[0].Field != "headers":
			continue // what looks like a blank in arguments is often what somebody wants
		case text == "" && blank.Kind == paste.KindSecret && keepsValues:
			off = true
		case blank.Kind != paste.KindSecret:
			continue
		}
		f.ToFill = append(f.ToFill, name)
	}
	for i := range f.Secrets {
		f.Secrets[i].Part = paste.Moved(&f.Entry, f.Secrets[i].Part, replacements)
	}
	f.Entry = *paste.Replace(&f.Entry, replacements)
	if off && !f.Entry.Disabled {
		f.Entry.Disabled = true
		f.Notes = append(f.Notes, words.New("imports.off_until_filled"))
	}
}

func replace(list []paste.Replacement, blank paste.Blank, with string) []paste.Replacement {
	for _, part := range blank.Parts {
		list = append(list, paste.Replacement{Part: part, With: with})
	}
	return list
}

// MarshalEntry is what is written into the configuration for a server.
func (f *Found) MarshalEntry() json.RawMessage { return paste.JSON(&f.Entry) }
