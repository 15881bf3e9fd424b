package imports

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Plan is what an import would do. Its entries hold secrets. Its JSON and all its other texts do not.
type Plan struct {
	// Toolbox is where the servers go. New is set if it must be made.
	Toolbox string `json:"toolbox"`
	New     bool   `json:"new"`

	// Servers are the servers to import, in the order of the apps and of their files.
	Servers []Found `json:"servers"`

	// Skipped are the entries that are left out, and the files that could not be read.
	Skipped []Skipped `json:"skipped"`

	// Notes are about the import as a whole.
	Notes Texts `json:"notes,omitempty"`
}

// Origin is the place of an entry.
type Origin struct {
	Client  string `json:"client"`            // the id of the app; empty for a file that the user named
	App     string `json:"app"`               // the name for people
	File    string `json:"file,omitempty"`    // the absolute path; empty for an app without a file
	Project string `json:"project,omitempty"` // the folder that the entry is for; empty if it is for all
	Name    string `json:"name,omitempty"`    // the name in the file; empty for a whole file

	seen   string // the [fingerprint] of the entry
	missed string // the members of the entry that the server may need and that did not come over
	keys   string // the keys that lead to it in the file, with \x00 between them
}

// Found is a server to import.
type Found struct {
	Origin

	// As is the server's name in the toolbox.
	As string `json:"as"`

	// Entry is what is written to our file. Its values may be secret.
	Entry config.Server `json:"-"`

	// ToFill names the values that must be given before the server can work. If the app would have asked for
	// them, or stores them itself, the entry is turned off until then.
	ToFill []string `json:"toFill,omitempty"`

	// Withheld names the variables that the server evidently needs and would not inherit. See [Plan.PassOn].
	Withheld []string `json:"withheld,omitempty"`

	// Secrets are the values that look like secrets.
	Secrets []Secret `json:"secrets,omitempty"`

	// Same are the other places that have the same server.
	Same []Origin `json:"same,omitempty"`

	// Notes say what was translated or left out, without secrets.
	Notes Texts `json:"notes,omitempty"`

	failed bool // it was tried and did not start

	asked []string // what the app asked for and the keychain must now have
}

// Secret is a value of an entry that looks like a secret.
type Secret struct {
	foreign.Part `json:"-"` // its Text is the secret

	Where    string `json:"where"`    // such as "env GITHUB_TOKEN"
	Keychain string `json:"keychain"` // its name in the keychain, if it is moved there
}

// Skipped is an entry or a file that is left out.
type Skipped struct {
	Origin
	Reason words.Text `json:"-"` // without secrets

	// Here is set if the same server is in a toolbox already, so that the app does not need its own entry.
	Here bool `json:"-"`

	box    string         // the toolbox with there
	there  *config.Server // if Here is set
	failed bool           // it cannot start; see [Plan.Check] and [Plan.CheckThere]
}

// Texts are sentences. As JSON they are English strings.
type Texts []words.Text

// MarshalJSON implements [json.Marshaler].
func (t Texts) MarshalJSON() ([]byte, error) { return jsonc.Marshal(words.English().Texts(t)) }

// MarshalJSON writes the reason in English.
func (s Skipped) MarshalJSON() ([]byte, error) {
	return jsonc.Marshal(struct {
		Origin
		Reason string `json:"reason"`
	}{s.Origin, s.Reason.String()})
}

// Review returns the review of what the server would run. See [review.Of].
func (f *Found) Review() *review.Review { return review.Of(&f.Entry) }

// ToAgree returns the user's values that the servers of the plan get, each once: see [review.Review.ToAgree].
func (p *Plan) ToAgree() []review.Use {
	var all []review.Use
	for i := range p.Servers {
		for _, use := range p.Servers[i].Review().ToAgree() {
			if !slices.Contains(all, use) {
				all = append(all, use)
			}
		}
	}
	return all
}

// MarshalJSON writes a server without its secrets.
func (f Found) MarshalJSON() ([]byte, error) {
	type found Found // without this method
	judged := f.Review()
	var warnings, uses Texts
	for _, w := range judged.Warnings {
		if w.Loud {
			warnings = append(warnings, w.Text)
		}
	}
	for _, use := range judged.ToAgree() {
		uses = append(uses, use.Text())
	}
	// a report is no question, so it shows no key in code either
	f.Entry.Args = secret.WithoutKeys(f.Entry.Command, f.Entry.Args)
	return json.Marshal(struct {
		found
		Runs     string `json:"runs"`
		Warnings Texts  `json:"warnings,omitempty"`
		Uses     Texts  `json:"uses,omitempty"`
		Disabled bool   `json:"disabled,omitempty"`
	}{found(f), f.Review().Line(), warnings, uses, f.Entry.Disabled})
}

// PassOn returns a plan in which a server, named by its key, has the variables that it would not inherit in
// its "env".
func (p Plan) PassOn(key string) Plan {
	p.Servers = slices.Clone(p.Servers)
	for i := range p.Servers {
		f := &p.Servers[i]
		if f.Key() != key {
			continue
		}
		// replaced, since they have no values
		f.Entry.Env = slices.DeleteFunc(slices.Clone(f.Entry.Env), func(v config.Variable) bool {
			return slices.Contains(f.Withheld, v.Name)
		})
		for _, name := range f.Withheld {
			f.Entry.Env = append(f.Entry.Env, config.Variable{Name: name, Value: "${" + name + "}"})
		}
		f.Withheld = nil
	}
	return p
}

// Lost returns a sentence that names the variables a server would not inherit; the zero text if there are
// none.
func (f *Found) Lost() words.Text {
	if len(f.Withheld) == 0 {
		return words.Text{}
	}
	return words.New("imports.withheld", "Names", f.Withheld, "One", len(f.Withheld) == 1)
}

// Key identifies a server in a plan.
func (o Origin) Key() string {
	return strings.Join([]string{o.Client, o.File, o.Project, o.Name}, "\x00")
}

// Without returns the plan without the servers that are named by their keys.
func (p Plan) Without(left map[string]bool) Plan {
	p.Servers = slices.DeleteFunc(slices.Clone(p.Servers), func(f Found) bool { return left[f.Key()] })
	return p
}

// Failed returns the plan with the servers, named by their keys, that were tried and did not start: their entries stay
// where they are.
func (p Plan) Failed(keys map[string]bool) Plan {
	p.Servers = slices.Clone(p.Servers)
	for i := range p.Servers {
		p.Servers[i].failed = keys[p.Servers[i].Key()]
	}
	return p
}

// Failed reports whether the server was tried and did not start.
func (f *Found) Failed() bool { return f.failed }

// Unread separates the files that could not be read from the entries that are left out. People should be told
// of such files, since they may have servers.
func (p Plan) Unread() (files, entries []Skipped) {
	for _, skipped := range p.Skipped {
		if skipped.Name == "" && skipped.File != "" {
			files = append(files, skipped)
		} else {
			entries = append(entries, skipped)
		}
	}
	return files, entries
}

// Options say what to import.
type Options struct {
	// System is the computer whose apps are read.
	System clients.System

	// Clients are the ids of the apps; see [IDs].
	Clients []string

	// File is a file of any app to import from; "" for none.
	File string

	// Projects includes servers that are for single projects.
	Projects bool

	// Into is the name of the toolbox. "" means the app's id, or "imported" for several apps.
	Into string

	// Existing is the current configuration; nil means an empty one.
	Existing *config.Config

	// Withheld returns the names of the variables that a server evidently needs and does not get. If it is
	// nil, there are none.
	Withheld func(*config.Server) []string
}

// DefaultToolbox is the toolbox for servers of several apps if none is named.
const DefaultToolbox = "imported"

// maxServers limits an import. It is far more than anybody has.
const maxServers = 500

// Make reads the files and returns the plan. It writes nothing.
func Make(o Options) Plan {
	if o.Existing == nil {
		o.Existing = &config.Config{}
	}
	p := &planner{options: o, existing: o.Existing}
	p.plan.Servers, p.plan.Skipped = []Found{}, []Skipped{} // never nil, so that JSON has empty lists
	p.plan.Toolbox = o.Into
	if p.plan.Toolbox == "" {
		p.plan.Toolbox = DefaultToolbox
		if len(o.Clients) == 1 && o.File == "" {
			p.plan.Toolbox = o.Clients[0]
		}
	}
	for _, id := range o.Clients {
		p.client(id)
	}
	if o.File != "" {
		p.file(o.File)
	}
	p.names()
	for i := range p.plan.Servers {
		if f := &p.plan.Servers[i]; o.Withheld != nil {
			f.Withheld = o.Withheld(&f.Entry)
		}
	}
	if p.projects > 0 {
		p.plan.Notes = append(p.plan.Notes, words.New("imports.projects_left_alone", "Count", p.projects))
	}
	return p.plan
}

// planner makes a plan.
type planner struct {
	options  Options
	existing *config.Config
	plan     Plan
	projects int // servers of projects that are only counted
}

func (p *planner) skip(from Origin, reason words.Text) {
	p.plan.Skipped = append(p.plan.Skipped, Skipped{Origin: from, Reason: reason})
}

// add adds a server to the plan, unless it is there already.
func (p *planner) add(f Found) {
	if box, there := p.has(&f.Entry); there != nil {
		// A key in the keychain cannot be compared without asking for it. With the same name and the same command it is
		// taken for the same key: whether it works is checked before the entry of the app is given up.
		whole := connectsAs(&f.Entry, there, equal) || isLater(&f.Entry, there) || f.Entry.Name == there.Name
		p.skip(f.Origin, words.New("imports.here_already", "Toolbox", plain(box), "Name", plain(there.Name), "Unknown",
			!whole))
		last := &p.plan.Skipped[len(p.plan.Skipped)-1]
		last.Here = whole && (f.Entry.Disabled || !there.Disabled) && (len(f.ToFill) == 0 || complete(there))
		last.box, last.there = box, there
		return
	}
	for i := range p.plan.Servers {
		first := &p.plan.Servers[i]
		if !connectsAs(&first.Entry, &f.Entry, equal) {
			continue
		}
		first.Same = append(first.Same, f.Origin)
		for _, note := range f.Notes { // what did not come over may differ
			if !slices.ContainsFunc(first.Notes, note.Equal) {
				first.Notes = append(first.Notes, note)
			}
		}
		if first.Entry.Disabled && !f.Entry.Disabled && len(first.ToFill) == 0 {
			first.Entry.Disabled = false
			first.Notes = append(first.Notes, words.New("imports.off_in_one", "App", first.App, "Other", f.App))
		}
		return
	}
	if len(p.plan.Servers) == maxServers {
		p.skip(f.Origin, words.New("imports.at_most", "Most", maxServers))
		return
	}
	p.plan.Servers = append(p.plan.Servers, f)
}

// has looks for a server in the configuration: in the named toolbox, or in all if none was named.
func (p *planner) has(s *config.Server) (box string, there *config.Server) {
	for _, toolbox := range p.existing.Toolboxes {
		if p.options.Into != "" && toolbox.Name != p.options.Into {
			continue
		}
		for _, there := range toolbox.Servers {
			if connectsAs(s, there, equalOrKept) || isLater(s, there) {
				return toolbox.Name, there
			}
		}
	}
	return "", nil
}

// names gives all servers names that are unique in the plan and in the toolbox.
func (p *planner) names() {
	var taken []string
	p.plan.New = true
	if toolbox, ok := p.existing.Toolbox(p.plan.Toolbox); ok {
		p.plan.New = false
		for _, s := range toolbox.Servers {
			taken = append(taken, s.Name)
		}
	}
	has := map[string]bool{}
	for _, name := range taken {
		has[name] = true
	}
	for i := range p.plan.Servers {
		f := &p.plan.Servers[i]
		if has[f.As] {
			name := edit.CopyName(f.As, taken)
			f.Notes = append(f.Notes, words.New("imports.renamed", "Name", plain(name), "Other", plain(f.As)))
			f.rename(name)
		}
		has[f.As], taken = true, append(taken, f.As)
		f.Entry.Name = f.As
		for j := range f.Secrets {
			f.Secrets[j].Keychain = foreign.KeychainName(f.As, f.Secrets[j].Part)
		}
	}
}

// rename gives a server another name, also in the keychain names of its secrets.
func (f *Found) rename(name string) {
	for _, asked := range f.asked {
		old, now := askedName(f.As, asked), askedName(name, asked)
		move := func(text *string) { *text = strings.ReplaceAll(*text, "${keyring:"+old+"}", "${keyring:"+now+"}") }
		for i := range f.Entry.Args {
			move(&f.Entry.Args[i])
		}
		for i := range f.Entry.Env {
			move(&f.Entry.Env[i].Value)
		}
		for i := range f.Entry.Headers {
			move(&f.Entry.Headers[i].Value)
		}
		move(&f.Entry.URL)
		if f.Entry.OAuth != nil {
			move(&f.Entry.OAuth.ClientSecret)
		}
		for _, note := range f.Notes {
			if note.Code == "imports.keep_in_keychain" && note.Args["Keep"] == plain(old) {
				note.Args["Keep"] = plain(now)
			}
		}
	}
	f.As = name
}

// askedName returns the keychain name for a value that an app asked for.
func askedName(server, asked string) string {
	return foreign.KeychainName(server, foreign.Part{Name: asked})
}

// maxText is how many characters of another app's text are shown.
const maxText = 120

// plain returns another app's text for people: short, on one line, without secrets and without characters
// that a terminal would interpret.
func plain(text string) string {
	if len(text) > 8*maxText {
		text = text[:8*maxText]
	}
	parts := strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool { return r == ' ' || visible.Hidden(r) })
	return visible.Cut(secret.Mask(strings.Join(parts, " ")), maxText)
}
