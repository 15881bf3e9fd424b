package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// mover removes imported servers from the files of their apps.
type mover struct {
	*importer
	setup *setup.Setup
	said  moveJSON
}

// moveJSON is what was moved, as JSON for programs.
type moveJSON struct {
	Moved    []movedJSON       `json:"moved"`
	Commands []string          `json:"commands,omitempty"`
	Stay     []imports.Skipped `json:"stay,omitempty"`
}

type movedJSON struct {
	Client string   `json:"client"`
	File   string   `json:"file"`
	Names  []string `json:"names"`
	Backup string   `json:"backup,omitempty"`
}

// look determines what can be removed. Refused files are added to what stays.
func (m *mover) look(plan imports.Plan) setup.Leaving {
	leaving := m.setup.Leaving(plan)
	m.said = moveJSON{Moved: []movedJSON{}, Commands: leaving.Commands, Stay: stays(leaving.Stay, leaving.Refused)}
	for _, out := range leaving.Out {
		m.said.Moved = append(m.said.Moved, movedJSON{Client: out.Client.ID, File: out.File, Names: out.Names})
	}
	return leaving
}

// stays adds refused files to a list of what stays.
func stays(list []imports.Skipped, refused []setup.Refused) []imports.Skipped {
	for _, r := range refused {
		list = append(list, imports.Skipped{Origin: imports.Origin{Client: r.Client.ID, App: r.Client.Name, File: r.File},
			Reason: words.Of(r.Err)})
	}
	return list
}

// show prints what would be removed and what would stay.
func (m *mover) show(leaving setup.Leaving) {
	if len(leaving.Out) == 0 && len(m.said.Stay) == 0 {
		return
	}
	fmt.Fprintln(m.out)
	for _, moving := range leaving.Out {
		m.print(words.New("command.taken_out_afterwards", "App", moving.Client.Name, "Names", moving.Names))
		fmt.Fprintln(m.out, moving.Diff())
	}
	if len(m.said.Stay) > 0 {
		m.print(words.New("command.stays"))
		fmt.Fprintln(m.out, strings.Join(m.leftAlone(m.said.Stay), "\n"))
	}
}

// quit waits until no app is running that would put removed entries back.
func (m *mover) quit(ctx context.Context, leaving setup.Leaving) error {
	for _, c := range leaving.Clients() {
		if _, err := m.registration().quit(ctx, m.setup, c); err != nil {
			return err
		}
	}
	return nil
}

func (m *mover) registration() *registration { return &registration{shared: m.shared, wait: m.wait} }

// takeOut removes the servers of a plan from the files of the apps, after they were added to the toolbox.
func (m *mover) takeOut(plan imports.Plan) error {
	done := m.setup.TakeOut(plan)
	m.said = moveJSON{Commands: done.Commands, Stay: stays(done.Stay, done.Refused)}
	var failed error
	for _, err := range done.Failed {
		failed = errors.Join(failed, m.fail(err))
	}
	moved := []movedJSON{}
	for _, file := range done.Files {
		moved = append(moved, movedJSON{Client: file.Client, File: file.File, Names: file.Names, Backup: file.Backup})
		m.note(words.New("command.taken_out", "App", imports.Name(file.Client), "Names", file.Names, "Backup", file.Backup))
	}
	m.said.Moved = moved
	if len(moved) > 0 {
		m.note(words.New("command.to_put_back", "Clients", strings.Join(clientsOf(moved), " ")))
	}
	for _, stays := range m.leftAlone(m.said.Stay) {
		m.note(words.New("command.this_stays", "What", strings.TrimSpace(stays)))
	}
	if len(m.said.Commands) > 0 {
		m.note(words.New("command.move_by_command"))
		if !m.asJSON {
			fmt.Fprintln(m.out, strings.Join(m.said.Commands, "\n"))
		}
	}
	if failed != nil {
		m.note(words.New("command.not_all_taken_out"))
		return exitStatus(exitFailed)
	}
	return nil
}

func clientsOf(moved []movedJSON) []string {
	var ids []string
	for _, m := range moved {
		if !slices.Contains(ids, m.Client) {
			ids = append(ids, m.Client)
		}
	}
	return ids
}

// undoMove puts back into the files of apps what the last moves have removed.
func (m *mover) undoMove(ctx context.Context, ids []string) error {
	files, err := m.setup.MovedBefore()
	if err != nil {
		return m.fail(err)
	}
	var failed error
	found := 0
	for _, file := range slices.Backward(files) {
		if !m.all && !slices.Contains(ids, file.Client) {
			continue
		}
		found++
		name := imports.Name(file.Client)
		if m.dryRun {
			fmt.Fprintf(m.out, "%s, %s: %s\n", name, file.File, strings.Join(file.Names, ", "))
			continue
		}
		if c, ok := clients.ByID(file.Client); ok {
			if _, err := m.registration().quit(ctx, m.setup, c); err != nil {
				failed = err
				continue
			}
		}
		if err := m.setup.PutBack(ctx, file, nil); err != nil {
			failed = m.fail(err)
			continue
		}
		m.note(words.New("command.put_back", "App", name, "Names", file.Names))
	}
	if found == 0 {
		m.note(words.New("command.nothing_to_put_back"))
	}
	if m.dryRun && found > 0 {
		m.note(words.New("command.nothing_changed"))
	}
	return failed
}
