package clients

import (
	"maps"
	"slices"
	"strings"
)

// byHand returns our entries in the files of a client that people connect with a command of its own, as records without a time: nobody has noted
// when they were made. Those for projects come after the others; a project whose folder is gone does not count.
func (r *Registrar) byHand(c Client) (found []Record, err error) {
	for _, file := range r.system.Locate(c).Files {
		source, err := readFile(file.Path)
		if err != nil || source == nil {
			if err != nil {
				return nil, &RefusedError{file.Path, err}
			}
			continue
		}
		d, err := c.read(source)
		if err != nil {
			return nil, &RefusedError{file.Path, err}
		}
		found = append(found, d.allOurs(file.Path, "")...)
		projects, _ := d.all[c.Projects].(map[string]any)
		for _, folder := range slices.Sorted(maps.Keys(projects)) {
			project, _ := projects[folder].(map[string]any)
			if r.system.there(r.system.slashed(folder)) {
				found = append(found, document{client: c, all: project}.allOurs(file.Path, folder)...)
			}
		}
	}
	return found, nil
}

// allOurs returns the entries that start us.
func (d document) allOurs(file, project string) (found []Record) {
	entries := d.entries()
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		if d.client.ours(entries[name], Record{}) {
			program, args, _ := d.client.command(entries[name])
			found = append(found, Record{Client: d.client.ID, File: file, Name: name, Project: project, Program: program, Args: args})
		}
	}
	return found
}

// forAll are the records that are not for a project.
func forAll(records []Record) []Record {
	return slices.DeleteFunc(slices.Clone(records), func(record Record) bool { return record.Project != "" })
}

// starts reports whether the entry of a record starts us in the very same way as a launch.
func (r Record) starts(l Launch) bool {
	return r.Program == l.Program && slices.Equal(r.Args, l.Args(r.Client))
}

// stateByHand is how a client stands to us whose entries people have made. Those for projects count when there are no others. startsWindow
// is as in [Status].
func stateByHand(records []Record, launch Launch) (state State, startsWindow bool) {
	if all := forAll(records); len(all) > 0 {
		records = all
	}
	by := func(l Launch) bool {
		return slices.ContainsFunc(records, func(record Record) bool { return record.starts(l) })
	}
	switch {
	case len(records) == 0:
		return NotConnected, false
	case by(launch):
		return Connected, false
	case launch.Window != "" && by(launch.withWindow()):
		return Connected, true
	}
	return Outdated, false
}

// pasteToConnect is what people run to connect a client; "" when there is nothing to do.
func (r *Registrar) pasteToConnect(c Client, launch Launch) string {
	records, _ := r.byHand(c) // the command tells what is wrong with the file
	records = forAll(records)
	if state, startsWindow := stateByHand(records, launch); state == Connected && !startsWindow {
		return ""
	}
	var lines []string
	name := usualName
	for i, record := range records {
		if i == 0 {
			name = record.Name
		}
		lines = append(lines, r.system.RemoveCommand(c, record.Name, ""))
	}
	return strings.Join(append(lines, r.system.addCommand(c, launch, name)), "\n")
}

// pasteToDisconnect is what people run to take all our entries out of a client; "" when it has none.
func (r *Registrar) pasteToDisconnect(c Client) (string, error) {
	records, err := r.byHand(c)
	var lines []string
	for _, record := range records {
		lines = append(lines, r.system.RemoveCommand(c, record.Name, record.Project))
	}
	return strings.Join(lines, "\n"), err
}

// addCommand is the command that enters us into a client with a command of its own.
func (s System) addCommand(c Client, l Launch, name string) string {
	words := append([]string{c.Command, "mcp", "add", "-s", "user", name, "--", l.Program}, l.Args(c.ID)...)
	for i, word := range words {
		words[i] = s.shellWord(word)
	}
	return strings.Join(words, " ")
}

// RemoveCommand is what takes an entry out of a client with a command of its own. folder is that of the project which the entry is for, "" when it is
// for all.
func (s System) RemoveCommand(c Client, name, folder string) string {
	if folder == "" {
		return c.Command + " mcp remove -s user " + s.shellWord(name)
	}
	return "cd " + s.shellWord(folder) + "\n" + c.Command + " mcp remove -s local " + s.shellWord(name)
}

// shellWord quotes a word for the shells of the system.
func (s System) shellWord(word string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@,+=", r) || r == '\\' && s.OS == "windows"
	}
	switch {
	case word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !safe(r) }):
		return word
	case s.OS == "windows":
		return `"` + word + `"` // no path has a quote in it
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
