package clients

import (
	"maps"
	"slices"
)

// byHand returns our entries in the files of a client that people connect with the client's own command. The
// records have no time, since nobody recorded when the entries were made. Entries for a project come last; a
// project whose folder is gone is left out.
func (r *Registrar) byHand(c Client) (found []Record, err error) {
	for _, file := range r.system.Locate(c).Files {
		source, err := c.Content(file.Path)
		if err != nil || source == nil {
			if err != nil {
				return nil, &RefusedError{file.Path, err}
			}
			continue
		}
		d, err := c.read(source.Text)
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

// allOurs returns the entries that start Workbench.
func (d document) allOurs(file, project string) (found []Record) {
	entries := d.entries()
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		if d.client.ours(entries[name], Record{}) {
			program, args, _ := d.client.command(entries[name])
			found = append(found, Record{Client: d.client.ID, File: file, Name: name, Project: project, Program: program,
				Args: args})
		}
	}
	return found
}

// forAll returns the records that are not for a project.
func forAll(records []Record) []Record {
	return slices.DeleteFunc(slices.Clone(records), func(record Record) bool { return record.Project != "" })
}

// starts reports whether the entry of a record starts Workbench exactly as a launch does.
func (r Record) starts(l Launch) bool {
	return r.Program == l.Program && slices.Equal(r.Args, l.Args(r.Client))
}

// stateByHand returns the state of a client whose entries people have made. Entries for projects count only
// if there are no others. startsWindow is as in [Status].
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

// toConnect returns the commands that connect a client; none if it is connected already.
func (r *Registrar) toConnect(c Client, launch Launch) ([]Command, error) {
	records, err := r.byHand(c)
	records = forAll(records)
	if state, startsWindow := stateByHand(records, launch); state == Connected && !startsWindow {
		return nil, nil
	}
	var commands []Command
	name := usualName
	for i, record := range records {
		if i == 0 {
			name = record.Name
		}
		commands = append(commands, removeCommand(c, record.Name, ""))
	}
	return append(commands, addCommand(c, launch, name)), err
}

// toDisconnect returns the commands that remove all our entries from a client; none if it has no entry.
func (r *Registrar) toDisconnect(c Client) (commands []Command, err error) {
	records, err := r.byHand(c)
	for _, record := range records {
		commands = append(commands, removeCommand(c, record.Name, record.Project))
	}
	return commands, err
}

// byCommand completes the plan for a client whose file we do not write. If the client's program is found,
// Workbench runs the commands; otherwise people run them. problem says why the client's file could not be
// read. It is returned instead of running the commands, since the client's program might replace that file.
func (r *Registrar) byCommand(plan Plan, commands []Command, problem error) (Plan, error) {
	program := ""
	if len(commands) > 0 {
		program = r.system.program(plan.Client)
	}
	if program == "" {
		plan.Paste = r.system.lines(commands)
		return plan, nil
	}
	for i, command := range commands {
		commands[i].Words = append([]string{program}, command.Words[1:]...)
	}
	plan.Runs, plan.Line = commands, r.system.lines(commands)
	return plan, problem
}
