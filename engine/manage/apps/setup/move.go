package setup

import (
	"context"
	"errors"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
)

// Leaving says what happens to the entries of clients when their servers are moved into a toolbox.
type Leaving struct {
	Out      []clients.Moving
	Commands []string          // commands that people run in a terminal, for clients whose file we must not write
	Stay     []imports.Skipped // entries that stay, with the reason
	Refused  []Refused         // files that are not changed at all
}

// Refused is a file from which no entry can be removed.
type Refused struct {
	Client clients.Client
	File   string
	Err    error // why, and what to do
}

// Leaving returns what can be removed from the files of clients after a plan has been carried out.
func (s *Setup) Leaving(plan imports.Plan) Leaving {
	found := plan.Leave(s.System)
	leaving := Leaving{Commands: found.Commands, Stay: found.Stay}
	for _, out := range found.Out {
		moving, err := s.Registrar.PlanMove(out.Client, out.File, out.Source, out.Names)
		if err != nil {
			leaving.Refused = append(leaving.Refused, Refused{out.Client, out.File, err})
			continue
		}
		leaving.Out = append(leaving.Out, moving)
	}
	return leaving
}

// Clients returns the clients that have entries to remove, each once.
func (l Leaving) Clients() []clients.Client {
	var all []clients.Client
	for _, moving := range l.Out {
		if !slices.ContainsFunc(all, func(c clients.Client) bool { return c.ID == moving.Client.ID }) {
			all = append(all, moving.Client)
		}
	}
	return all
}

// QuitAll waits, as [Setup.Quit] does, for each client that would put removed entries back while it runs.
func (s *Setup) QuitAll(ctx context.Context, leaving Leaving, waiting Waiting) error {
	for _, c := range leaving.Clients() {
		if _, err := s.Quit(ctx, c, waiting); err != nil {
			return err
		}
	}
	return nil
}

// Moved says what happened to the entries of clients whose servers are in a toolbox.
type Moved struct {
	Files    []MovedFile
	Commands []string          // as in [Leaving]
	Stay     []imports.Skipped // as in [Leaving]
	Refused  []Refused         // as in [Leaving]
	Failed   []error           // why entries that can be removed were not removed
}

// Problem returns everything that went wrong as one error, or nil.
func (m Moved) Problem() error {
	var problems []error
	for _, refused := range m.Refused {
		problems = append(problems, refused.Err)
	}
	return errors.Join(append(problems, m.Failed...)...)
}

// MovedFile is a file from which servers were removed.
type MovedFile struct {
	Client string // the id
	File   string
	Names  []string
	Backup string // the path of a copy of the file before the change

	move clients.Move
}

func (s *Setup) movedFile(move clients.Move) MovedFile {
	return MovedFile{move.Client, move.File, move.Names, s.Registrar.BackupOf(move), move}
}

// TakeOut removes the servers of a plan from the files of their clients. Call it when the servers are in the
// toolbox. The files are read again, since a client that was waited for wrote its file when it ended.
func (s *Setup) TakeOut(plan imports.Plan) Moved {
	leaving := s.Leaving(plan)
	moved := Moved{Commands: leaving.Commands, Stay: leaving.Stay, Refused: leaving.Refused}
	for _, moving := range leaving.Out {
		move, err := s.Registrar.Move(moving)
		if err != nil {
			moved.Failed = append(moved.Failed, err)
			continue
		}
		moved.Files = append(moved.Files, s.movedFile(move))
	}
	return moved
}

// MovedBefore returns the files whose servers were moved out and can be put back, the oldest first.
func (s *Setup) MovedBefore() ([]MovedFile, error) {
	moves, err := s.Registrar.Moves()
	var files []MovedFile
	for _, move := range moves {
		files = append(files, s.movedFile(move))
	}
	return files, err
}

// MovedFrom returns the files of a client whose servers were moved out and can be put back, the oldest first.
func (s *Setup) MovedFrom(id string) ([]MovedFile, error) {
	files, err := s.MovedBefore()
	return slices.DeleteFunc(files, func(file MovedFile) bool { return file.Client != id }), err
}

// Names returns the names of the servers that were moved out of some files, each once.
func Names(files []MovedFile) (names []string) {
	for _, file := range files {
		for _, name := range file.Names {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// PutBack puts removed servers back into a file. The toolbox is not changed.
func (s *Setup) PutBack(ctx context.Context, file MovedFile, waiting Waiting) error {
	if c, ok := clients.ByID(file.Client); ok {
		if _, err := s.Quit(ctx, c, waiting); err != nil {
			return err
		}
	}
	return s.Registrar.GiveBack(file.move)
}

// PutAllBack puts the servers of several files back. It starts with the last, since the file as it is now is
// what that change left.
func (s *Setup) PutAllBack(ctx context.Context, files []MovedFile, waiting Waiting) error {
	var failed error
	for _, file := range slices.Backward(files) {
		failed = errors.Join(failed, s.PutBack(ctx, file, waiting))
	}
	return failed
}

// PreviewBack returns what changes in the files of a client when a plan disconnects it and moved servers are put back.
func (s *Setup) PreviewBack(plan clients.Plan, files []MovedFile) []clients.Difference {
	var moves []clients.Move
	for _, file := range files {
		moves = append(moves, file.move)
	}
	return s.Registrar.DifferencesBack(plan, moves)
}

// TakeOver connects a client and removes the servers that were imported from it, since the client gets them
// from Workbench from now on. The entries are removed before connecting, so that disconnecting and putting
// them back restores the file. If connecting fails they are put back at once.
func (s *Setup) TakeOver(ctx context.Context, id string, brought imports.Plan, waiting Waiting) (Moved, error) {
	c, err := Client(id)
	if err == nil {
		_, err = s.Quit(ctx, c, waiting)
	}
	if err = errors.Join(err, ctx.Err()); err != nil {
		return Moved{}, err
	}
	// The servers are determined only now: the import may have been undone while the client was waited for.
	moved := s.TakeOut(s.inBoth(id, brought))
	plan, err := s.Plan(id, true)
	if err == nil {
		err = s.Carry(ctx, plan, waiting)
	}
	if err != nil && len(moved.Files) > 0 {
		return Moved{}, errors.Join(err, s.PutAllBack(ctx, moved.Files, nil))
	}
	return moved, err
}

// Preview is what [Setup.TakeOver] would do, for people to check before.
type Preview struct {
	Changes  []clients.Difference
	Commands []string // that remove entries from a client whose file we must not write
}

// Preview returns what connecting a client changes, and which imported entries are removed from its files.
func (s *Setup) Preview(plan clients.Plan, brought imports.Plan) Preview {
	leaving := s.Leaving(s.inBoth(plan.Client.ID, brought))
	return Preview{Changes: s.Registrar.Differences(plan, leaving.Out), Commands: leaving.Commands}
}

// inBoth returns the part of an earlier import that a client has in its own file and that is also in a toolbox
// of the current configuration.
func (s *Setup) inBoth(id string, brought imports.Plan) imports.Plan {
	var existing *config.Config
	if document, err := config.Read(s.Location); err == nil && document.Valid() {
		existing = document.Config
	}
	return brought.Of(id, imports.Make(imports.Options{System: s.System, Clients: []string{id}, Existing: existing}))
}
