package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// mover takes out of the files of apps what was imported from them.
type mover struct {
	*importer
	system    clients.System
	registrar *clients.Registrar
	said      moveJSON
}

// moveJSON is what is moved, for programs.
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

func newMover(i *importer, system clients.System) (*mover, error) {
	if i.processes != "" {
		system.Processes = func() ([]clients.Process, error) { return listed(i.processes) }
	}
	folder, err := paths.Here(os.Getenv).Clients()
	if err != nil {
		return nil, i.fail(err)
	}
	return &mover{importer: i, system: system, registrar: clients.New(system, folder)}, nil
}

// look finds out what can be taken out. What cannot is put among what stays.
func (m *mover) look(plan imports.Plan) []clients.Moving {
	leaving := plan.Leave(m.system)
	m.said = moveJSON{Moved: []movedJSON{}, Commands: leaving.Commands, Stay: leaving.Stay}
	var movings []clients.Moving
	for _, out := range leaving.Out {
		moving, err := m.registrar.PlanMove(out.Client, out.File, out.Source, out.Names)
		if err != nil {
			m.said.Stay = append(m.said.Stay, imports.Skipped{Origin: imports.Origin{Client: out.Client.ID, App: out.Client.Name, File: out.File}, Reason: err.Error()})
			continue
		}
		m.said.Moved = append(m.said.Moved, movedJSON{Client: out.Client.ID, File: out.File, Names: out.Names})
		movings = append(movings, moving)
	}
	return movings
}

// show prints what would be taken out, and what would stay.
func (m *mover) show(movings []clients.Moving) {
	if len(movings) == 0 && len(m.said.Stay) == 0 {
		return
	}
	fmt.Fprintln(m.out)
	for _, moving := range movings {
		m.print(words.New("command.taken_out_afterwards", "App", moving.Client.Name, "Names", moving.Names))
		fmt.Fprintln(m.out, moving.Diff())
	}
	if len(m.said.Stay) > 0 {
		m.print(words.New("command.stays"))
		fmt.Fprintln(m.out, strings.Join(m.leftAlone(m.said.Stay), "\n"))
	}
}

// quit sees to it that none of the apps runs that would put back what is taken out.
func (m *mover) quit(ctx context.Context, movings []clients.Moving) error {
	r := &registration{shared: m.shared, wait: m.wait}
	var asked []string
	for _, moving := range movings {
		if slices.Contains(asked, moving.Client.ID) {
			continue
		}
		asked = append(asked, moving.Client.ID)
		if _, err := r.quit(ctx, m.registrar, moving.Client); err != nil {
			return err
		}
	}
	return nil
}

// takeOut does it, after the servers came into the toolbox. The files are read once more: an app that was waited for has written
// its own when it ended.
func (m *mover) takeOut(plan imports.Plan) error {
	movings := m.look(plan)
	var failed error
	moved := []movedJSON{}
	for n, moving := range movings {
		done, err := m.registrar.Move(moving)
		if err != nil {
			failed = errors.Join(failed, m.fail(err))
			continue
		}
		said := m.said.Moved[n]
		said.Backup = m.registrar.BackupOf(done)
		moved = append(moved, said)
		m.note(words.New("command.taken_out", "App", moving.Client.Name, "Names", moving.Names, "Backup", said.Backup))
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

// undoMove puts back into the files of apps what the last moves have taken out.
func (m *mover) undoMove(ctx context.Context, ids []string) error {
	moves, err := m.registrar.Moves()
	if err != nil {
		return m.fail(err)
	}
	var failed error
	found := 0
	for _, move := range slices.Backward(moves) {
		if !m.all && !slices.Contains(ids, move.Client) {
			continue
		}
		found++
		name := imports.Name(move.Client)
		if m.dryRun {
			fmt.Fprintf(m.out, "%s, %s: %s\n", name, move.File, strings.Join(move.Names, ", "))
			continue
		}
		if c, ok := clients.ByID(move.Client); ok {
			if _, err := (&registration{shared: m.shared, wait: m.wait}).quit(ctx, m.registrar, c); err != nil {
				failed = err
				continue
			}
		}
		if err := m.registrar.GiveBack(move); err != nil {
			failed = m.fail(err)
			continue
		}
		m.note(words.New("command.put_back", "App", name, "Names", move.Names))
	}
	if found == 0 {
		m.note(words.New("command.nothing_to_put_back"))
	}
	if m.dryRun && found > 0 {
		m.note(words.New("command.nothing_changed"))
	}
	return failed
}
