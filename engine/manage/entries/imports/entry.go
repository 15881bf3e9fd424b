package imports

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// client adds the servers of one app to the plan.
func (p *planner) client(id string) {
	files := sources(p.options.System, id)
	if len(files) == 0 {
		p.skip(Origin{Client: id, App: Name(id)}, words.New("imports.no_file"))
	}
	for _, s := range files {
		p.source(s)
	}
}

// file adds the servers of a file that the user named. Its app is not known.
func (p *planner) file(path string) {
	from := Origin{App: filepath.Base(path), File: path, Project: p.projectOf(path)}
	s := source{path: path, keys: foreign.Keys(), format: client.JSONC}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".toml":
		s.format = client.TOML
	case ".yaml", ".yml":
		s.format = client.YAML
	}
	content, problem := s.read()
	if !problem.IsZero() {
		p.skip(from, problem)
		return
	}
	found, err := foreign.Parse(string(content.Text))
	if len(found.Entries)+len(found.Rest) == 0 {
		var why *foreign.Error
		if errors.As(err, &why) {
			p.skip(from, why.Message)
		}
	}
	p.take(from, found)
}

// source adds the servers of one file.
func (p *planner) source(s source) {
	from := Origin{Client: s.id, App: s.name, File: s.path}
	content, problem := s.read()
	if !problem.IsZero() {
		p.skip(from, problem)
		return
	}
	d, problem := parse(content.Text, s.format)
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

// list adds the entries of a document.
func (p *planner) list(from Origin, d document, keys [][]string) (problem words.Text) {
	found, problem := foreign.Servers(d.root, foreign.Source{App: from.App, Keys: keys})
	p.take(from, found)
	return problem
}

// take adds what was found in a document.
func (p *planner) take(from Origin, found foreign.Found) {
	for i := range found.Entries {
		from.Name, from.seen, from.keys = found.Entries[i].At.Name, fingerprint(found.Entries[i].At.Value),
			strings.Join(found.Entries[i].At.Keys, "\x00")
		p.entry(from, &found.Entries[i])
	}
	p.plan.Notes = append(p.plan.Notes, foreignNotes(found.Notes)...)
	for _, rest := range found.Rest {
		from.Name, from.seen, from.keys = rest.Name, fingerprint(rest.Value), strings.Join(rest.Keys, "\x00")
		p.skip(from, rest.Why)
	}
}

// maxProjects is the largest number of projects of Claude Code that are read.
const maxProjects = 300

// ofProjects adds the servers that Claude Code has for single projects: in its own file, and in the .mcp.json
// of each project's folder. If projects were not asked for, the servers in its own file are only counted.
func (p *planner) ofProjects(from Origin, d document) {
	projects := d.at("projects")
	if !projects.Is(jsonc.Object) {
		return
	}
	for i, project := range projects.Children {
		if i == maxProjects {
			p.plan.Notes = append(p.plan.Notes, words.New("imports.too_many_projects", "Most", maxProjects))
			return
		}
		own := document{project}
		key := [][]string{{"mcpServers"}}
		if !p.options.Projects {
			found, _ := foreign.Servers(own.root, foreign.Source{Keys: key})
			p.projects += len(found.Entries)
			continue
		}
		from.Project = project.Key
		_ = p.list(from, own, key) // a value that is no list has no servers
		shared := filepath.Join(project.Key, ".mcp.json")
		if !filepath.IsAbs(shared) {
			continue
		}
		s := Origin{Client: from.Client, App: from.App, File: shared, Project: project.Key}
		content, problem := source{path: shared, format: client.JSON, keys: key}.read()
		if problem.Code == noSuchFile {
			continue
		}
		var d document
		if problem.IsZero() {
			d, problem = parse(content.Text, client.JSON)
		}
		if problem.IsZero() {
			problem = p.list(s, d, key)
		}
		if !problem.IsZero() {
			p.skip(s, problem)
		}
	}
}

// entry adds one entry.
func (p *planner) entry(from Origin, e *foreign.Entry) {
	if isOurs(&e.Server) {
		p.skip(from, words.New("imports.ourselves"))
		return
	}
	if from.Name == "" {
		from.Name = e.Server.Name
	}
	from.missed = strings.Join(e.Missed(), ", ")
	f := Found{Origin: from, As: named(from.Name, e.Server.Name), Entry: e.Server, Notes: foreignNotes(e.Notes)}
	f.Entry.Name = f.As
	f.inFolder()
	for _, s := range e.Secrets {
		f.Secrets = append(f.Secrets, Secret{Part: s.Part, Where: strings.TrimSpace(s.Field + " " + plain(s.Name))})
	}
	f.fill(e.Blanks, e.Asked, e.Stored)
	for _, d := range foreign.Diagnose(&f.Entry) {
		if d.Severity == config.SeverityError {
			p.skip(from, words.New("imports.not_writable", "Why", d.Message.Map(plain)))
			return
		}
	}
	p.add(f)
}

// inFolder makes a server of a project start in the project's folder, as it does in the app.
func (f *Found) inFolder() {
	if f.Project == "" || f.Entry.Transport != config.TransportStdio {
		return
	}
	if f.Entry.Cwd == "" || strings.HasPrefix(f.Entry.Cwd, ".") {
		f.Entry.Cwd = filepath.Join(f.Project, f.Entry.Cwd)
	}
}

// projectFolders are the folders of a project in which apps have files with servers for it.
var projectFolders = []string{
	".amazonq", ".continue", ".cursor", ".gemini", ".idea", ".junie", ".kilo", ".kilocode", ".kimi-code", ".kiro",
	".opencode", ".qwen", ".roo", ".trae", ".vscode", ".windsurf", ".zed",
}

// projectOf returns the folder of the project that a file with servers belongs to, if its path shows that; else "".
func (p *planner) projectOf(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	folder := filepath.Dir(path)
	if base := filepath.Base(path); base == ".mcp.json" || base == "gemini-extension.json" {
		return folder
	}
	for range 2 { // .kiro/settings/mcp.json has a folder in between
		if slices.Contains(projectFolders, filepath.Base(folder)) {
			if project := filepath.Dir(folder); project != filepath.Clean(p.options.System.Home) {
				return project
			}
			return ""
		}
		folder = filepath.Dir(folder)
	}
	return ""
}

// maxName is the largest length of a server's name in bytes.
const maxName = 100

// named returns the name of a server: the name in the app if it is valid here, else the suggested one.
func named(given, suggested string) string {
	for _, name := range []string{given, suggested} {
		name = strings.TrimSpace(inLine(name))
		if edit.CheckName("server", name) == nil && len(name) <= maxName {
			return name
		}
	}
	return "server"
}

// foreignNotes returns the notes of package foreign, each on one line.
func foreignNotes(list []words.Text) Texts {
	var notes Texts
	for _, note := range list {
		notes = append(notes, note.Map(inLine))
	}
	return notes
}

// inLine removes from a note the characters that a terminal would interpret.
func inLine(note string) string {
	return strings.Join(strings.FieldsFunc(note, visible.Hidden), " ")
}

// fill handles the blanks of an entry. If the app would have filled one in, Workbench cannot, so the entry is turned
// off and a note says what is missing. Text that only looks like a blank is kept, since it has the same effect here as
// in the app.
func (f *Found) fill(blanks []foreign.Blank, asked []string, keepsValues bool) {
	var replacements []foreign.Replacement
	off := false
	for _, blank := range blanks {
		text := blank.Parts[0].Text
		reference := strings.HasPrefix(text, "${") || strings.HasPrefix(text, "$(") || strings.HasPrefix(text, "`") ||
			slices.Contains(asked, text) || f.ofProduct(blank.Parts[0])
		name := plain(blank.Label.String())
		inner := strings.ReplaceAll(strings.TrimPrefix(strings.Trim(text, "<>${}`()"), "input:"), "${", "$")
		folder, inProject := foreign.InFolder(text, f.Project)
		switch {
		case inProject && f.Project != "":
			replacements = replace(replacements, blank, folder)
			continue
		case reference && blank.Default != "" && !strings.Contains(blank.Default, "${"):
			replacements = replace(replacements, blank, blank.Default)
			f.Notes = append(f.Notes, words.New("imports.usual_value", "App", f.App, "Name", plain(name)))
			continue
		case blank.Kind == foreign.KindSecret && strings.HasPrefix(text, "${input:"):
			keep := askedName(f.As, inner)
			f.asked = append(f.asked, inner)
			replacements = replace(replacements, blank, "${keyring:"+keep+"}")
			f.Notes = append(f.Notes, words.New("imports.keep_in_keychain", "App", f.App, "Name", plain(name), "Keep",
				plain(keep)))
			off = true
		case reference:
			replacements = replace(replacements, blank, "<"+inner+">")
			f.Notes = append(f.Notes, words.New("imports.write_value", "App", f.App, "Name", plain(inner)))
			name, off = plain(inner), true
		case blank.Parts[0].Field != "env" && blank.Parts[0].Field != "headers":
			continue // in arguments, text that looks like a blank is often intended
		case text == "" && blank.Kind == foreign.KindSecret && keepsValues:
			off = true
		case blank.Kind != foreign.KindSecret:
			continue
		}
		f.ToFill = append(f.ToFill, name)
	}
	for i := range f.Secrets {
		f.Secrets[i].Part = foreign.Moved(&f.Entry, f.Secrets[i].Part, replacements)
	}
	f.Entry = *foreign.Replace(&f.Entry, replacements)
	if off && !f.Entry.Disabled {
		f.Entry.Disabled = true
		f.Notes = append(f.Notes, words.New("imports.off_until_filled"))
	}
}

// ofProduct reports whether a blank is {{NAME}}, for which Warp and others ask.
func (f *Found) ofProduct(part foreign.Part) bool {
	return template.MatchString(part.Text) && (part.Field != "args" || f.Entry.Args[part.Index] == part.Text)
}

var template = lazyregexp.New(`^\{\{\s*[A-Za-z_]\w*\s*\}\}$`)

func replace(list []foreign.Replacement, blank foreign.Blank, with string) []foreign.Replacement {
	for _, part := range blank.Parts {
		list = append(list, foreign.Replacement{Part: part, With: with})
	}
	return list
}

// MarshalEntry returns the server's entry for the configuration file.
func (f *Found) MarshalEntry() json.RawMessage { return foreign.JSON(&f.Entry) }
