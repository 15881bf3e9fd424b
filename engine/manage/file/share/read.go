package share

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Limits of a file. They are far above any toolbox that people made.
const (
	// MaxSize is the largest size of a file in bytes.
	MaxSize = 256 << 10

	maxServers     = 100
	maxInputs      = 200
	maxValues      = 500 // arguments, variables and headers of one server
	maxName        = 100 // characters
	maxDescription = 2000
	maxLabel       = 200
	maxHint        = 500
	maxID          = 80
)

// Toolbox is the content of a file. Nothing of it has been started or saved.
type Toolbox struct {
	Name        string
	Description string

	// Servers are in the order of the file. Their blanks must be filled in.
	Servers []foreign.Entry

	// Notes say, without secrets, which parts of the file were left out.
	Notes []words.Text
}

// Is reports whether a text declares itself a shared toolbox, of any version.
func Is(text string) bool {
	if len(text) > foreign.MaxSize || !strings.Contains(text, `"workbenchToolbox"`) {
		return false
	}
	document := jsonc.Parse([]byte(strings.TrimPrefix(text, "\ufeff")))
	return document.Root != nil && document.Root.Member("workbenchToolbox") != nil
}

// Surroundings describe the computer on which a file is read. The user is asked for each variable that the
// file refers to and that is not set there.
type Surroundings struct {
	// IsSet reports whether a variable is set. If it is nil, all variables count as set.
	IsSet func(variable string) bool

	// Home is the user's home folder, for systems that do not set HOME.
	Home string
}

// ReadFile reads a file. A file larger than [MaxSize] is an error, and so is anything but a regular file:
// reading a pipe or a device may never end.
func ReadFile(path string, here Surroundings) (*Toolbox, error) {
	text, err := atomicfile.Read(path, MaxSize)
	if errors.Is(err, atomicfile.ErrTooLarge) {
		err = tooLarge()
	}
	if err != nil {
		return nil, err
	}
	return Read(string(text), here)
}

func tooLarge() error { return words.NewError("share.too_large", "KiB", MaxSize>>10) }

// Read reads the text of a file.
func Read(text string, here Surroundings) (*Toolbox, error) {
	if len(text) > MaxSize {
		return nil, tooLarge()
	}
	text = strings.TrimPrefix(text, "\ufeff")
	if !utf8.ValidString(text) || strings.Contains(text, "\x00") {
		return nil, words.NewError("share.no_text")
	}
	document := jsonc.Parse([]byte(text))
	if document.Broken() != nil || document.Root.Kind != jsonc.Object {
		if _, problem := config.CheckSyntax([]byte(text)); problem != nil {
			return nil, words.NewError("share.broken_at", "Line", problem.Line, "Column", problem.Column, "Why",
				problem.Message)
		}
		return nil, words.NewError("share.no_toolbox")
	}
	r := &reader{here: here, inputs: map[string]Input{}}
	if err := r.read(document.Root); err != nil {
		return nil, err
	}
	return &r.box, nil
}

// reader reads one file.
type reader struct {
	here   Surroundings
	inputs map[string]Input
	box    Toolbox
}

func (r *reader) note(text words.Text) {
	for _, before := range r.box.Notes {
		if before.Equal(text) {
			return
		}
	}
	r.box.Notes = append(r.box.Notes, text)
}

func (r *reader) read(root *jsonc.Node) error {
	version := root.Member("workbenchToolbox")
	switch {
	case version == nil:
		return words.NewError("share.no_toolbox")
	case version.Kind != jsonc.Number || version.Raw() != strconv.Itoa(Version):
		return words.NewError("share.version", "Version", shown(version.Raw()), "Known", Version)
	}
	for _, object := range []*jsonc.Node{root, root.Member("mcpServers")} {
		if twice := object.Repeated(); twice != nil {
			return words.NewError("share.twice", "Name", shown(twice.Key))
		}
	}
	for _, m := range root.Children {
		switch m.Key {
		case "workbenchToolbox", "$schema", "name", "description", "inputs", "mcpServers":
		default:
			r.note(words.New("share.left_out", "Name", shown(m.Key)))
		}
	}
	r.box.Name = strings.TrimSpace(root.Member("name").Str())
	if err := name("toolbox", r.box.Name); err != nil {
		return err
	}
	r.box.Description = visible.Line(root.Member("description").Str())
	if utf8.RuneCountInString(r.box.Description) > maxDescription {
		return words.NewError("share.long_description", "Most", maxDescription)
	}
	if err := r.asks(root.Member("inputs")); err != nil {
		return err
	}
	servers := root.Member("mcpServers")
	if !servers.Is(jsonc.Object) || len(servers.Children) == 0 {
		return words.NewError("share.no_servers")
	}
	if len(servers.Children) > maxServers {
		return words.NewError("share.many_servers", "Most", maxServers)
	}
	for _, m := range servers.Children {
		if err := r.server(m); err != nil {
			return err
		}
	}
	return nil
}

// name returns an error if something in the file cannot have a name. Names with invisible characters are
// refused, since people could not tell them apart.
func name(what, text string) error {
	if err := edit.CheckName(what, text); err != nil {
		return words.NewError("share.name", "Name", shown(text), "Why", err)
	}
	if visible.Line(text) != text || utf8.RuneCountInString(text) > maxName {
		return words.NewError("share.odd_name", "Name", shown(text), "Most", maxName)
	}
	return nil
}

// shown returns a text of the file, shortened and on one line.
func shown(text string) string { return visible.Short(text, maxName) }

// validID matches the ids of questions.
var validID = lazyregexp.New(`^[A-Za-z0-9_.-]{1,80}$`)

// asks reads the questions of the file.
func (r *reader) asks(list *jsonc.Node) error {
	if list == nil {
		return nil
	}
	if list.Kind != jsonc.Array || len(list.Children) > maxInputs {
		return words.NewError("share.inputs", "Most", maxInputs)
	}
	for _, n := range list.Children {
		in := Input{ID: n.Member("id").Str(), Kind: n.Member("kind").Str(), Label: visible.Line(n.Member("label").Str()),
			Hint: visible.Line(n.Member("hint").Str()), Default: n.Member("default").Str()}
		if _, twice := r.inputs[in.ID]; twice || !validID.MatchString(in.ID) ||
			utf8.RuneCountInString(in.Label) > maxLabel || utf8.RuneCountInString(in.Hint) > maxHint ||
			len(in.Default) > 4*maxHint {
			return words.NewError("share.input", "ID", shown(in.ID))
		}
		switch kind := foreign.Kind(in.Kind); kind {
		case foreign.KindText, foreign.KindSecret, foreign.KindFolder, foreign.KindFile, foreign.KindURL:
		default:
			in.Kind = string(foreign.KindText)
		}
		if in.Kind == string(foreign.KindSecret) || strings.Contains(in.Default, "${") {
			// A default for a secret is not secret, since everybody with the file knows it. A reference would take a value
			// from the reader unseen.
			in.Default = ""
		}
		in.Label = cmp.Or(in.Label, in.ID)
		r.inputs[in.ID] = in
	}
	return nil
}

// server reads one entry.
func (r *reader) server(m *jsonc.Node) error {
	if err := name("server", m.Key); err != nil {
		return err
	}
	wrong := func(why words.Text) error { return words.NewError("share.server", "Server", shown(m.Key), "Why", why) }
	if m.Kind != jsonc.Object {
		return wrong(words.New("share.no_entry"))
	}
	entry, address := m.Raw(), m.Member("url")
	if asked.MatchString(address.Str()) { // there is no address until the question is answered
		at := address.Start - m.Start
		entry = entry[:at] + `"https://example.invalid"` + entry[at+len(address.Raw()):]
	} else {
		address = nil
	}
	s, problems, ok := foreign.Read(m.Key, []byte(entry))
	if !ok || s == nil {
		for _, problem := range problems {
			if problem.Severity == config.SeverityError {
				return wrong(problem.Message)
			}
		}
		return wrong(words.New("share.no_entry"))
	}
	if len(s.Args) > maxValues || len(s.Env) > maxValues || len(s.Headers) > maxValues || len(s.ToolFilters) > maxValues {
		return wrong(words.New("share.many_values", "Most", maxValues))
	}
	s = foreign.Replace(s, nil) // copied, since the parsed entry is shared
	if address != nil {
		s.URL = address.Str()
	}
	if s.TrustToolChanges || s.InheritEnv || s.Share != nil && *s.Share {
		s.TrustToolChanges, s.InheritEnv, s.Share = false, false, nil
		r.note(words.New("share.loosened_in_file", "Server", m.Key))
	}
	for _, field := range m.Keys() {
		if _, known := config.ServerField(field); !known {
			r.note(words.New("share.left_out", "Name", shown(field)))
		}
	}
	e := foreign.Of(*s, r.blanks(s))
	r.box.Servers = append(r.box.Servers, e)
	return nil
}

// asked matches a value that consists of one question.
var asked = lazyregexp.New(`^\{\{[A-Za-z0-9_.-]{1,80}\}\}$`)

// used matches a question within a value, or a reference to a variable without a default.
var used = lazyregexp.New(`\{\{([A-Za-z0-9_.-]{1,80})\}\}|\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_()]*)\}`)

// blanks returns what must be filled in before a server can work.
func (r *reader) blanks(s *config.Server) []foreign.Blank {
	var all []foreign.Blank
	at := map[string]int{} // by the text of the blank
	foreign.Each(s, func(place foreign.Part, value *string) {
		for _, found := range used.FindAllStringSubmatch(strings.ReplaceAll(*value, "$${", "$$ {"), -1) {
			place.Text = found[0]
			if i, asked := at[found[0]]; asked {
				all[i].Parts = append(all[i].Parts, place)
				continue
			}
			b := foreign.Blank{Parts: []foreign.Part{place}}
			switch in, known := r.inputs[found[1]]; {
			case found[1] != "" && known:
				b.Kind, b.Label, b.Hint, b.Default = foreign.Kind(in.Kind), words.Foreign(in.Label), words.Foreign(in.Hint),
					in.Default
			case found[1] != "", r.here.IsSet == nil ||
				r.here.IsSet(found[2]): // no question of the file, or a variable that is set
				continue
			case isOwn(s, place, found[2]):
				continue
			default:
				b.Kind, b.Label, b.Hint = foreign.KindOf(found[2]), words.Foreign(found[2]), words.New("share.not_set")
				if found[2] == "HOME" {
					b.Kind, b.Default = foreign.KindFolder, r.here.Home
				}
			}
			at[found[0]] = len(all)
			all = append(all, b)
		}
	})
	return all
}

// isOwn reports whether a reference is to a variable of the server's own env.
func isOwn(s *config.Server, place foreign.Part, name string) bool {
	_, own := s.Variable(name)
	return own && !(place.Field == "env" && config.SameVariable(place.Name, name))
}

// ID returns the name of what a blank asks for: the id in the file, or the name of a variable.
func ID(b foreign.Blank) string {
	return strings.Trim(b.Parts[0].Text, "${}")
}
