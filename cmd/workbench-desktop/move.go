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
		return nil, i.failf("%v", err)
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
		fmt.Fprintf(m.out, "Taken out of %s afterwards: %s\n%s\n", moving.Client.Name, strings.Join(moving.Names, ", "), moving.Diff())
	}
	if len(m.said.Stay) > 0 {
		fmt.Fprintf(m.out, "Stays where it is:\n%s\n", strings.Join(leftAlone(m.said.Stay), "\n"))
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
			failed = errors.Join(failed, m.failf("%v", err))
			continue
		}
		said := m.said.Moved[n]
		said.Backup = m.registrar.BackupOf(done)
		moved = append(moved, said)
		fmt.Fprintf(m.err, "Taken out of %s: %s. What was there before is kept in %s.\n", moving.Client.Name, strings.Join(moving.Names, ", "), said.Backup)
	}
	m.said.Moved = moved
	if len(moved) > 0 {
		fmt.Fprintln(m.err, "To put them back there: workbench-desktop import --undo-move "+strings.Join(clientsOf(moved), " "))
	}
	for _, stays := range leftAlone(m.said.Stay) {
		fmt.Fprintln(m.err, "Stays where it is:"+strings.TrimPrefix(stays, " "))
	}
	if len(m.said.Commands) > 0 {
		fmt.Fprintln(m.err, "Claude Code writes its file all the time, so its own command is safe. Run this at a terminal:")
		if !m.asJSON {
			fmt.Fprintln(m.out, strings.Join(m.said.Commands, "\n"))
		}
	}
	if failed != nil {
		fmt.Fprintln(m.err, "The servers are in the toolbox all the same; where they were not taken out, the app offers their tools too.")
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
		return m.failf("%v", err)
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
			failed = m.failf("%v", err)
			continue
		}
		fmt.Fprintf(m.err, "Put back into %s: %s. The toolbox has them too; take them out there, else their tools are offered twice.\n", name, strings.Join(move.Names, ", "))
	}
	if found == 0 {
		fmt.Fprintln(m.err, "No servers were moved out of an app that could be put back.")
	}
	if m.dryRun && found > 0 {
		fmt.Fprintln(m.err, "Nothing was changed (--dry-run).")
	}
	return failed
}
