package clients

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// rules are the settings from one source. Sources are in order of precedence.
type rules struct {
	where    string
	settings map[string]any
}

// Policy returns the rules of an organisation that keep a client from starting Workbench, as sentences; none
// if there are no such rules. It reads what the organisation has set and never a file of the user. It cannot
// know whether the client follows these rules.
func (s System) Policy(c Client) []words.Text {
	if c.Managed == nil {
		return nil
	}
	sources, sentences := s.rules(c)
	for _, one := range c.Managed.Switches {
		if value, ok := first(sources, one.Setting); ok && off(value) {
			sentences = append(sentences, words.New(one.Says, "Client", c.Name, "Setting", one.Setting))
		}
	}
	if says := s.exclusive(c); !says.IsZero() {
		sentences = append(sentences, says)
	} else if c.Managed.Lists {
		sentences = append(sentences, listed(c, sources)...)
	}
	return sentences
}

// Policies returns the sentences of [System.Policy] for all installed clients.
func (s System) Policies() []words.Text {
	var sentences []words.Text
	for _, found := range s.Detect() {
		if found.Installed {
			sentences = append(sentences, s.Policy(found.Client)...)
		}
	}
	return sentences
}

// rules returns the settings from all sources, and sentences about those that could not be read.
func (s System) rules(c Client) (found []rules, problems []words.Text) {
	m := c.Managed
	add := func(where string, source []byte, parse func([]byte) (map[string]any, error)) {
		settings, err := parse(source)
		if err != nil {
			problems = append(problems, unread(c, where))
			return
		}
		found = append(found, rules{where, settings})
	}
	if s.OS == "windows" && s.Registry != nil {
		for _, user := range []bool{false, true} {
			values, err := s.Registry(user, m.Key)
			where := `HKEY_LOCAL_MACHINE\` + m.Key
			if user {
				where = `HKEY_CURRENT_USER\` + m.Key
			}
			blob, whole := values[m.Blob].(string)
			switch {
			case err != nil:
				problems = append(problems, unread(c, where))
			case m.Blob == "":
				found = append(found, rules{where, values})
			case whole:
				add(where, []byte(blob), parseSettings)
			}
		}
	}
	if s.OS == "darwin" && m.Domain != "" {
		folders := []string{"/Library/Managed Preferences"}
		if name := path.Base(s.slashed(s.Home)); name != "/" && name != "." {
			folders = slices.Insert(folders, 0, folders[0]+"/"+name)
		}
		for _, folder := range folders {
			where := folder + "/" + m.Domain + ".plist"
			if source, problem := s.policyFile(c, where); !problem.IsZero() {
				problems = append(problems, problem)
			} else if source != nil {
				add(where, source, parsePreferences)
			}
		}
	}
	for _, where := range s.places(m.Settings) {
		if source, problem := s.policyFile(c, where); !problem.IsZero() {
			problems = append(problems, problem)
		} else if source != nil {
			add(where, source, parseSettings)
		}
	}
	return found, problems
}

// exclusive reads the files that list all permitted servers.
func (s System) exclusive(c Client) words.Text {
	for _, where := range s.places(c.Managed.Exclusive) {
		source, problem := s.policyFile(c, where)
		if !problem.IsZero() {
			return problem
		}
		if source == nil {
			continue
		}
		settings, err := parseSettings(source)
		if err != nil {
			return unread(c, where)
		}
		servers, _ := settings["mcpServers"].(map[string]any)
		for _, value := range servers {
			if command, args, ok := c.command(value); ok && IsOurs(command, args) {
				return words.Text{}
			}
		}
		return words.New("clients.policy_exclusive", "Client", c.Name, "Where", where)
	}
	return words.Text{}
}

// listed checks the lists of allowed and denied servers. An item is the name of a server or its whole command
// line. If the allowed items include command lines, names do not count for servers that are programs.
func listed(c Client, sources []rules) []words.Text {
	denied, _ := first(sources, "deniedMcpServers")
	if entries, _ := denied.([]any); slices.ContainsFunc(entries, func(entry any) bool {
		return names(entry) || starts(entry)
	}) {
		return []words.Text{c.Say("clients.policy_denied")}
	}
	allowed, _ := first(sources, "allowedMcpServers")
	entries, ok := allowed.([]any)
	if !ok {
		return nil
	}
	fits := names
	if slices.ContainsFunc(entries, func(entry any) bool { return line(entry) != nil }) {
		fits = starts
	}
	if !slices.ContainsFunc(entries, fits) {
		return []words.Text{c.Say("clients.policy_not_allowed")}
	}
	return nil
}

// names reports whether an item of a list has the name of our entry; starts reports whether it has our
// command line.
func names(entry any) bool {
	fields, _ := entry.(map[string]any)
	return fields["serverName"] == usualName
}

func starts(entry any) bool {
	command := line(entry)
	return len(command) > 0 && IsOurs(command[0], command[1:])
}

// line returns the command line of an item; nil if it has none.
func line(entry any) []string {
	fields, _ := entry.(map[string]any)
	list, ok := fields["serverCommand"].([]any)
	if !ok {
		return nil
	}
	command := []string{}
	for _, item := range list {
		word, _ := item.(string)
		command = append(command, word)
	}
	return command
}

// first returns the value of a setting from the first source that has it.
func first(sources []rules, setting string) (any, bool) {
	for _, source := range sources {
		if value, ok := source.settings[setting]; ok {
			return value, true
		}
	}
	return nil, false
}

// off reports whether a setting is turned off. The registry has no booleans, so tools write a number or a
// word.
func off(value any) bool {
	switch value := value.(type) {
	case bool:
		return !value
	case uint64:
		return value == 0
	case int64:
		return value == 0
	case float64:
		return value == 0
	case string:
		word := strings.ToLower(strings.TrimSpace(value))
		return word == "false" || word == "0"
	}
	return false
}

func unread(c Client, where string) words.Text {
	return words.New("clients.policy_unread", "Client", c.Name, "Where", where)
}

// places returns the paths of the places that are for this system.
func (s System) places(all []client.Location) []string {
	var paths []string
	for _, place := range all {
		if place.OS == s.kind() {
			paths = append(paths, s.native(place.Path))
		}
	}
	return paths
}

// policyFile reads a file of rules; nil if it does not exist.
func (s System) policyFile(c Client, where string) (source []byte, problem words.Text) {
	if s.ReadFile == nil {
		return nil, words.Text{}
	}
	source, err := s.ReadFile(where)
	if err != nil {
		return nil, unread(c, where)
	}
	return source, words.Text{}
}

func parseSettings(source []byte) (map[string]any, error) {
	var settings map[string]any
	err := json.Unmarshal(bytes.TrimPrefix(source, []byte(byteOrderMark)), &settings)
	return settings, err
}
