package extension

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Type is the language of a server. It determines what must be installed.
type Type string

// The types of servers.
const (
	Node   Type = "node"
	Python Type = "python"
	Binary Type = "binary" // nothing must be installed
	UV     Type = "uv"     // Python, with its dependencies fetched by uv
)

// Limits of a manifest. Longer ones were not written for people.
const (
	maxManifest = 1 << 20
	maxWords    = 1000 // arguments, and variables
	maxWord     = 32 << 10
	maxSettings = 100
	maxTools    = 500
)

// manifestName is the name of the manifest's file.
const manifestName = "manifest.json"

// manifest has the members of a manifest that matter here. All others are ignored.
type manifest struct {
	ManifestVersion string          `json:"manifest_version"`
	DXTVersion      string          `json:"dxt_version"` // its former name
	Name            string          `json:"name"`
	DisplayName     string          `json:"display_name"`
	Version         string          `json:"version"`
	Description     string          `json:"description"`
	Author          author          `json:"author"`
	Homepage        string          `json:"homepage"`
	Server          *server         `json:"server"`
	Tools           json.RawMessage `json:"tools"`
	Compatibility   struct {
		Platforms []string          `json:"platforms"`
		Runtimes  map[string]string `json:"runtimes"`
	} `json:"compatibility"`
	UserConfig members[option] `json:"user_config"`
}

type server struct {
	Type       Type    `json:"type"`
	EntryPoint string  `json:"entry_point"`
	Config     *launch `json:"mcp_config"`
}

// launch is the command that starts the server.
type launch struct {
	Command   string            `json:"command"`
	Args      []string          `json:"args"`
	Env       members[value]    `json:"env"`
	Platforms map[string]launch `json:"platform_overrides"`
}

// author is an object in the format; some manifests have only the name.
type author struct{ name string }

func (a *author) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &a.name) == nil {
		return nil
	}
	var long struct {
		Name string `json:"name"`
	}
	err := json.Unmarshal(data, &long)
	a.name = long.Name
	return err
}

// value is a string; numbers and other values are kept as they are written.
type value string

func (v *value) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(v))
	}
	if data[0] == '{' || data[0] == '[' {
		return words.NewError("extension.no_text")
	}
	*v = value(data)
	return nil
}

// members are the members of an object in their order, which is the order in which people are asked.
type members[T any] []member[T]

type member[T any] struct {
	name  string
	value T
}

func (m *members[T]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	all, err := jsonrpc.Members(data)
	switch {
	case err != nil:
		return words.NewError("extension.no_object")
	case len(all) > maxWords:
		return words.NewError("extension.too_many_members")
	}
	for _, each := range all {
		next := member[T]{name: each.Name}
		if err := json.Unmarshal(each.Value, &next.value); err != nil {
			return words.NewError("extension.at_member", "Name", visible.Short(next.name, 40), "Why", err)
		}
		*m = append(slices.DeleteFunc(*m, func(old member[T]) bool { return old.name == next.name }), next)
	}
	return nil
}

// parseManifest reads a manifest. It fails if the server cannot be started on the system here.
func parseManifest(data []byte, files map[string]bool, here System) (*manifest, error) {
	var version struct {
		Manifest any `json:"manifest_version"`
		DXT      any `json:"dxt_version"`
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var m manifest
	err := json.Unmarshal(data, &version)
	if err == nil {
		// The version is checked first, since a later version may have any other members.
		if err := knownVersion(version.Manifest, version.DXT); err != nil {
			return nil, err
		}
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, &Error{words.New("extension.manifest_no_json", "Manifest", manifestName, "Line",
				1+bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))), tellMaker.Text()}
		}
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) && kind.Field != "" {
			return nil, &Error{words.New("extension.manifest_unexpected", "Manifest", manifestName, "Field", shown(kind.Field)),
				tellMaker.Text()}
		}
		return nil, &Error{words.New("extension.manifest_unclear", "Manifest", manifestName, "Why",
			visible.Short(err.Error(), 100)), tellMaker.Text()}
	}
	return &m, m.check(files, here)
}

// knownVersion returns an error for versions of the format that this package does not read. A missing version
// is not guessed.
func knownVersion(versions ...any) error {
	for _, version := range versions {
		switch version := version.(type) {
		case nil:
			continue
		case string:
			switch version {
			case "0.1", "0.2", "0.3", "0.4":
				return nil
			}
			return &Error{words.New("extension.format_version", "Version", visible.Short(version, 20)),
				words.New("extension.newer_workbench")}
		}
		break
	}
	return &Error{words.New("extension.no_format_version", "Manifest", manifestName), tellMaker.Text()}
}

// ourHomepage and ourName are in the bundles that start Workbench itself.
const (
	ourHomepage = "https://github.com/workbench-mcp/workbench-desktop"
	ourName     = "workbench"
)

func (m *manifest) check(files map[string]bool, here System) error {
	missing := func(said words.Text) error { return &Error{said, tellMaker.Text()} }
	platform := here.platform()
	switch s := m.Server; {
	case visible.Short(m.Name, maxWord) == "":
		return missing(words.New("extension.lacks_name", "Manifest", manifestName))
	case visible.Short(m.Version, maxWord) == "":
		return missing(words.New("extension.lacks_version", "Manifest", manifestName))
	case s == nil:
		return missing(words.New("extension.lacks_server", "Manifest", manifestName))
	case m.Name == ourName && strings.HasPrefix(m.Homepage, ourHomepage):
		return &Error{words.New("extension.is_workbench"), words.New("extension.for_claude")}
	case len(m.Compatibility.Platforms) > 0 && !slices.Contains(m.Compatibility.Platforms, platform):
		names := make([]string, 0, 3)
		for _, each := range m.Compatibility.Platforms[:min(3, len(m.Compatibility.Platforms))] {
			names = append(names, platformName(each))
		}
		return &Error{words.New("extension.other_system", "Systems", words.And(names...), "System", platformName(platform)),
			words.New("extension.edition_for", "System", platformName(platform))}
	case !slices.Contains([]Type{Node, Python, Binary, UV}, s.Type):
		return &Error{words.New("extension.server_type", "Type", shown(string(s.Type))),
			words.New("extension.newer_workbench")}
	case s.EntryPoint == "" && s.Type == UV && s.Config == nil:
		return missing(words.New("extension.lacks_file", "Manifest", manifestName))
	case s.EntryPoint != "" && !files[entryPath(s.EntryPoint)] &&
		!(s.Type == Binary && files[entryPath(s.EntryPoint)+".exe"]):
		return &Error{words.New("extension.no_entry_point", "File", shown(s.EntryPoint)), getAgain.Text()}
	case s.Type != UV && (s.Config == nil || strings.TrimSpace(m.launch(here).Command) == ""):
		return missing(words.New("extension.lacks_command", "Manifest", manifestName))
	case len(m.UserConfig) > maxSettings:
		return &Error{words.New("extension.too_many_settings", "Most", maxSettings), tellMaker.Text()}
	}
	return m.checkWords(m.launch(here))
}

// checkWords refuses a command that people could not read before they agree to it: with too many or too long
// words, or with invisible characters.
func (m *manifest) checkWords(l launch) error {
	all := append([]string{l.Command}, l.Args...)
	for _, variable := range l.Env {
		if variable.name == "" || strings.ContainsAny(variable.name, "= \t") {
			return &Error{words.New("extension.variable_name", "Name", shown(variable.name)), tellMaker.Text()}
		}
		all = append(all, variable.name, string(variable.value))
	}
	if len(all) > maxWords {
		return &Error{words.New("extension.too_many_words"), notTrusted.Text()}
	}
	for _, word := range all {
		if len(word) > maxWord || strings.IndexFunc(word, visible.Hidden) >= 0 {
			return &Error{words.New("extension.unreadable_words"), notTrusted.Text()}
		}
	}
	return nil
}

// launch returns the command that starts the server on a system.
func (m *manifest) launch(here System) launch {
	if m.Server.Config == nil {
		if m.Server.Type == UV { // a UV server needs no command: uv run starts it
			return launch{Command: "uv", Args: []string{"run", "--directory", "${__dirname}", m.Server.EntryPoint}}
		}
		return launch{}
	}
	l := *m.Server.Config
	other, ok := l.Platforms[here.platform()]
	if !ok {
		return l
	}
	// Each of the three members replaces the general one completely, as in the format's own tool.
	if other.Command != "" {
		l.Command = other.Command
	}
	if other.Args != nil {
		l.Args = other.Args
	}
	if other.Env != nil {
		l.Env = other.Env
	}
	return l
}

// tools returns the tool names in the manifest. It need not name all of them.
func (m *manifest) tools() []string {
	var list []struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(m.Tools, &list) != nil {
		return nil
	}
	var names []string
	for _, tool := range list[:min(len(list), maxTools)] {
		if name := visible.Short(tool.Name, 80); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// entryPath returns a path of the manifest in the form of the zip file's list.
func entryPath(path string) string {
	path = strings.TrimPrefix(strings.ReplaceAll(path, `\`, "/"), "${__dirname}/")
	return strings.TrimPrefix(path, "./")
}
