package imports

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/review"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Plan is what an import would do. It holds secrets in its entries; as JSON, and in all of its other texts, it has none.
type Plan struct {
	// Toolbox is where the servers go, and New whether it has to be made.
	Toolbox string `json:"toolbox"`
	New     bool   `json:"new"`

	// Servers are what comes, in the order of the apps and of their files.
	Servers []Found `json:"servers"`

	// Skipped are the entries that are left alone, and the files that could not be read.
	Skipped []Skipped `json:"skipped"`

	// Notes are about the import as a whole.
	Notes Texts `json:"notes,omitempty"`
}

// Origin is where an entry stands.
type Origin struct {
	Client  string `json:"client"`            // the id of the app; empty for a file that was named
	App     string `json:"app"`               // what people call it
	File    string `json:"file,omitempty"`    // its whole path; empty for an app that has none
	Project string `json:"project,omitempty"` // the folder that the entry is for, when it is not for all
	Name    string `json:"name,omitempty"`    // what it is called there; empty for a file as a whole

	seen string // what the entry said, see [fingerprint]
}

// Found is a server that comes.
type Found struct {
	Origin

	// As is its name in the toolbox.
	As string `json:"as"`

	// Entry is what is written, in our own words. Its values may be secret.
	Entry config.Server `json:"-"`

	// ToFill is what has to be given before it can work: names of values. When the app would have asked for them, or keeps them to
	// itself, the entry is switched off until then.
	ToFill []string `json:"toFill,omitempty"`

	// Withheld are the names of variables that it evidently needs and would not inherit. See [Plan.PassOn].
	Withheld []string `json:"withheld,omitempty"`

	// Secrets are the values that look like secrets.
	Secrets []Secret `json:"secrets,omitempty"`

	// Same are the other places that have the same server.
	Same []Origin `json:"same,omitempty"`

	// Notes say what was translated or left out, without secrets.
	Notes Texts `json:"notes,omitempty"`

	asked []string // names of what the app asked for and that the keychain is to have now
}

// Secret is a value of an entry that looks like a secret.
type Secret struct {
	paste.Part `json:"-"` // its Text is the secret

	Where    string `json:"where"`    // such as "env GITHUB_TOKEN"
	Keychain string `json:"keychain"` // the name that it would have in the keychain
}

// Skipped is something that does not come.
type Skipped struct {
	Origin
	Reason words.Text `json:"-"` // without secrets

	// Here is set when the very same server is in a toolbox, so that the app does not need it for itself.
	Here bool `json:"-"`
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

// Review judges what a server would run. Everything of it is shown; see [review.Of].
func (f *Found) Review() *review.Review { return review.Of(&f.Entry) }

// ToAgree are the things of the user's that the servers of the plan get, each once: see [review.Review.ToAgree].
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

// MarshalJSON writes what is known of a server without its secrets.
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
	return json.Marshal(struct {
		found
		Runs     string `json:"runs"`
		Warnings Texts  `json:"warnings,omitempty"`
		Uses     Texts  `json:"uses,omitempty"`
		Disabled bool   `json:"disabled,omitempty"`
	}{found(f), judged.Line(), warnings, uses, f.Entry.Disabled})
}

// PassOn returns the plan with the variables that one of its servers, named by its key, would not inherit in that server's "env".
func (p Plan) PassOn(key string) Plan {
	p.Servers = slices.Clone(p.Servers)
	for i := range p.Servers {
		f := &p.Servers[i]
		if f.Key() != key {
			continue
		}
		f.Entry.Env = slices.DeleteFunc(slices.Clone(f.Entry.Env), func(v config.Variable) bool { return slices.Contains(f.Withheld, v.Name) }) // they have no values
		for _, name := range f.Withheld {
			f.Entry.Env = append(f.Entry.Env, config.Variable{Name: name, Value: "${" + name + "}"})
		}
		f.Withheld = nil
	}
	return p
}

// Lost says which variables a server would not inherit; nothing when there are none.
func (f *Found) Lost() words.Text {
	if len(f.Withheld) == 0 {
		return words.Text{}
	}
	return words.New("imports.withheld", "Names", f.Withheld, "One", len(f.Withheld) == 1)
}

// Key tells the servers of a plan apart.
func (o Origin) Key() string {
	return strings.Join([]string{o.Client, o.File, o.Project, o.Name}, "\x00")
}

// Without returns the plan without some of its servers, named by their keys.
func (p Plan) Without(left map[string]bool) Plan {
	p.Servers = slices.DeleteFunc(slices.Clone(p.Servers), func(f Found) bool { return left[f.Key()] })
	return p
}

// Unread separates the files that could not be read from the entries that are left alone. Such a file may have servers, so people are
// told of it.
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

// Options say what is imported.
type Options struct {
	// System is the computer whose apps are looked at.
	System clients.System

	// Clients are the ids of the apps; see [IDs].
	Clients []string

	// File is a file to import from, whatever app wrote it; "" for none.
	File string

	// Projects is set to bring the servers that are for single projects too.
	Projects bool

	// Into is the toolbox; "" is the app's id, or "imported" when there are several.
	Into string

	// Existing is the configuration in force. Nil is an empty one.
	Existing *config.Config

	// Withheld returns the names of the variables that a server evidently needs and does not get. Nil finds none.
	Withheld func(*config.Server) []string
}

// DefaultToolbox is where servers of several apps go unless a toolbox is named.
const DefaultToolbox = "imported"

// maxServers is how many servers one import may bring, which is far more than anybody has.
const maxServers = 500

// Make reads what there is and says what would come. It writes nothing.
func Make(o Options) Plan {
	if o.Existing == nil {
		o.Existing = &config.Config{}
	}
	p := &planner{options: o, existing: o.Existing}
	p.plan.Servers, p.plan.Skipped = []Found{}, []Skipped{} // lists in JSON, also empty ones
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
	projects int // servers of projects that nobody asked for
}

func (p *planner) skip(from Origin, reason words.Text) {
	p.plan.Skipped = append(p.plan.Skipped, Skipped{Origin: from, Reason: reason})
}

// add takes a server into the plan, unless it is there already.
func (p *planner) add(f Found) {
	if box, there := p.has(&f.Entry); there != nil {
		whole := connectsAs(&f.Entry, there, equal)
		p.skip(f.Origin, words.New("imports.here_already", "Toolbox", plain(box), "Name", plain(there.Name), "Unknown", !whole))
		p.plan.Skipped[len(p.plan.Skipped)-1].Here = whole && len(f.ToFill) == 0 && (f.Entry.Disabled || !there.Disabled)
		return
	}
	for i := range p.plan.Servers {
		first := &p.plan.Servers[i]
		if !connectsAs(&first.Entry, &f.Entry, equal) {
			continue
		}
		first.Same = append(first.Same, f.Origin)
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

// has finds a server in the configuration: in the toolbox that was named, or in any when none was.
func (p *planner) has(s *config.Server) (box string, there *config.Server) {
	for _, toolbox := range p.existing.Toolboxes {
		if p.options.Into != "" && toolbox.Name != p.options.Into {
			continue
		}
		for _, there := range toolbox.Servers {
			if connectsAs(s, there, equalOrKept) {
				return toolbox.Name, there
			}
		}
	}
	return "", nil
}

// names gives all servers names that differ from each other and from those that the toolbox has.
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
			f.Secrets[j].Keychain = paste.KeychainName(f.As, f.Secrets[j].Part)
		}
	}
}

// rename gives a server another name, also in the names that its secrets are to have in the keychain.
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

// askedName is the name in the keychain for what an app asked for.
func askedName(server, asked string) string {
	return paste.KeychainName(server, paste.Part{Name: asked})
}

// maxText is how many characters of another app's text are repeated.
const maxText = 120

// plain is another app's text as it may be shown: in one line, short, without secrets and without what a terminal would obey.
func plain(text string) string {
	if len(text) > 8*maxText {
		text = text[:8*maxText]
	}
	parts := strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool { return r == ' ' || visible.Hidden(r) })
	return visible.Cut(secret.Mask(strings.Join(parts, " ")), maxText)
}
