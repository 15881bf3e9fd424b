package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"howett.net/plist"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// rules are the settings of one source, the strongest source first.
type rules struct {
	where    string
	settings map[string]any
}

// Policy tells what rules of an organisation keep a client from starting us, in sentences for people; none when there are no such rules. It reads
// what the organisation has set, never a file of the user's. Whether the client really goes by these rules, only its maker knows.
func (s System) Policy(c Client) []string {
	if c.Managed == nil {
		return nil
	}
	sources, sentences := s.rules(c)
	for _, one := range c.Managed.Switches {
		if value, ok := first(sources, one.Setting); ok && off(value) {
			sentences = append(sentences, fmt.Sprintf("Your organisation has switched off "+one.Says+".", c.Name, one.Setting))
		}
	}
	if says := s.exclusive(c); says != "" {
		sentences = append(sentences, says)
	} else if c.Managed.Lists {
		sentences = append(sentences, listed(c, sources)...)
	}
	return sentences
}

// Policies are the sentences of [System.Policy] about all clients that are found here.
func (s System) Policies() []string {
	var sentences []string
	for _, found := range s.Detect() {
		if found.Installed {
			sentences = append(sentences, s.Policy(found.Client)...)
		}
	}
	return sentences
}

// rules collects the settings from all sources, and says which of them could not be read.
func (s System) rules(c Client) (found []rules, problems []string) {
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
			if source, problem := s.policyFile(c, where); problem != "" {
				problems = append(problems, problem)
			} else if source != nil {
				add(where, source, parsePreferences)
			}
		}
	}
	for _, where := range s.places(m.Settings) {
		if source, problem := s.policyFile(c, where); problem != "" {
			problems = append(problems, problem)
		} else if source != nil {
			add(where, source, parseSettings)
		}
	}
	return found, problems
}

// exclusive looks into the files that name all servers there may be.
func (s System) exclusive(c Client) string {
	for _, where := range s.places(c.Managed.Exclusive) {
		source, problem := s.policyFile(c, where)
		if problem != "" {
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
				return ""
			}
		}
		return fmt.Sprintf("Your organisation has set which servers %[1]s starts (%[2]s), and Workbench is not one of them. %[1]s will probably not start it.", c.Name, where)
	}
	return ""
}

// listed goes by the lists of what is allowed and what is denied. An entry of them names a server, or the whole command line of one. As soon as command
// lines are among what is allowed, names don't count for servers like us.
func listed(c Client, sources []rules) []string {
	denied, _ := first(sources, "deniedMcpServers")
	if entries, _ := denied.([]any); slices.ContainsFunc(entries, func(entry any) bool { return names(entry) || starts(entry) }) {
		return []string{fmt.Sprintf("Your organisation has forbidden Workbench in %[1]s (policy deniedMcpServers). %[1]s will probably not start it.", c.Name)}
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
		return []string{fmt.Sprintf("Your organisation allows certain servers in %[1]s alone (policy allowedMcpServers), and Workbench is not one of them. %[1]s will probably not start it.", c.Name)}
	}
	return nil
}

// names tells whether an entry of a list means us by name, and starts, whether by command line.
func names(entry any) bool {
	fields, _ := entry.(map[string]any)
	return fields["serverName"] == usualName
}

func starts(entry any) bool {
	words := line(entry)
	return len(words) > 0 && IsOurs(words[0], words[1:])
}

// line is the command line of an entry; nil when it has none.
func line(entry any) []string {
	fields, _ := entry.(map[string]any)
	list, ok := fields["serverCommand"].([]any)
	if !ok {
		return nil
	}
	words := []string{}
	for _, item := range list {
		word, _ := item.(string)
		words = append(words, word)
	}
	return words
}

// first gives a setting as the strongest source that has it says it.
func first(sources []rules, setting string) (any, bool) {
	for _, source := range sources {
		if value, ok := source.settings[setting]; ok {
			return value, true
		}
	}
	return nil, false
}

// off tells whether a setting says no. The registry has no truth values, so tools write a number or a word.
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

func unread(c Client, where string) string {
	return fmt.Sprintf("Your organisation has set rules for %[1]s (%[2]s), which could not be read. They may keep %[1]s from starting Workbench.", c.Name, where)
}

// places gives the paths of those places that are for this system.
func (s System) places(all []client.Place) []string {
	var paths []string
	for _, place := range all {
		if place.OS == s.kind() {
			paths = append(paths, s.native(place.Path))
		}
	}
	return paths
}

// policyFile reads a file of rules, nil when there is none.
func (s System) policyFile(c Client, where string) (source []byte, problem string) {
	if s.ReadFile == nil {
		return nil, ""
	}
	source, err := s.ReadFile(where)
	if err != nil {
		return nil, unread(c, where)
	}
	return source, ""
}

func parseSettings(source []byte) (map[string]any, error) {
	var settings map[string]any
	err := json.Unmarshal(bytes.TrimPrefix(source, []byte(byteOrderMark)), &settings)
	return settings, err
}

func parsePreferences(source []byte) (map[string]any, error) {
	var settings map[string]any
	_, err := plist.Unmarshal(source, &settings)
	return settings, err
}
