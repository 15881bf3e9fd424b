package setup

import (
	"context"
	"errors"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/imports"
)

// Leaving is what becomes of the entries of clients whose servers are in a toolbox, or will be, when they are moved.
type Leaving struct {
	Out      []clients.Moving
	Commands []string          // for clients whose file is not ours to write: what people run at a terminal
	Stay     []imports.Skipped // what stays, with the reason
	Refused  []Refused         // files that are left alone as a whole
}

// Refused is a file out of which nothing can be taken.
type Refused struct {
	Client clients.Client
	File   string
	Err    error // says why, and what to do
}

// Leaving finds out what can be taken out of the files of clients once a plan has been carried out.
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

// Clients returns the clients of which something can be taken out, each once.
func (l Leaving) Clients() []clients.Client {
	var all []clients.Client
	for _, moving := range l.Out {
		if !slices.ContainsFunc(all, func(c clients.Client) bool { return c.ID == moving.Client.ID }) {
			all = append(all, moving.Client)
		}
	}
	return all
}

// QuitAll makes sure that none of the clients runs that would put back what is taken out, as [Setup.Quit] does for one.
func (s *Setup) QuitAll(ctx context.Context, leaving Leaving, waiting Waiting) error {
	for _, c := range leaving.Clients() {
		if _, err := s.Quit(ctx, c, waiting); err != nil {
			return err
		}
	}
	return nil
}

// Moved is what became of the entries of clients whose servers are in a toolbox.
type Moved struct {
	Files    []MovedFile
	Commands []string          // as in [Leaving]
	Stay     []imports.Skipped // as in [Leaving]
	Refused  []Refused         // as in [Leaving]
	Failed   []error           // why others were not taken out, though they could be
}

// Problem returns all that has gone wrong, or nil.
func (m Moved) Problem() error {
	var problems []error
	for _, refused := range m.Refused {
		problems = append(problems, refused.Err)
	}
	return errors.Join(append(problems, m.Failed...)...)
}

// MovedFile is a file out of which servers were taken.
type MovedFile struct {
	Client string // the id
	File   string
	Names  []string
	Backup string // the path of the copy of the file as it was

	move clients.Move
}

func (s *Setup) movedFile(move clients.Move) MovedFile {
	return MovedFile{move.Client, move.File, move.Names, s.Registrar.BackupOf(move), move}
}

// TakeOut takes the servers of a plan out of the files of their clients. Call it when they are in the toolbox. The files are read anew: a
// client that was waited for has written its own when it ended.
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

// MovedBefore returns what was moved out of clients and can be put back, the oldest first.
func (s *Setup) MovedBefore() ([]MovedFile, error) {
	moves, err := s.Registrar.Moves()
	var files []MovedFile
	for _, move := range moves {
		files = append(files, s.movedFile(move))
	}
	return files, err
}

// PutBack puts into a file what was taken out of it. The toolbox stays as it is.
func (s *Setup) PutBack(ctx context.Context, file MovedFile, waiting Waiting) error {
	if c, ok := clients.ByID(file.Client); ok {
		if _, err := s.Quit(ctx, c, waiting); err != nil {
			return err
		}
	}
	return s.Registrar.GiveBack(file.move)
}

// PutAllBack does that for several files. The last comes first, since what it left is what is there now.
func (s *Setup) PutAllBack(ctx context.Context, files []MovedFile, waiting Waiting) error {
	var failed error
	for _, file := range slices.Backward(files) {
		failed = errors.Join(failed, s.PutBack(ctx, file, waiting))
	}
	return failed
}

// TakeOver connects a client of which servers were brought in, and takes those out of its file: it gets them from us from now on. They go
// first, so that disconnecting and putting them back make the file what it was; when connecting fails they are put back at once.
func (s *Setup) TakeOver(ctx context.Context, id string, brought imports.Plan, waiting Waiting) (Moved, error) {
	c, err := Client(id)
	if err == nil {
		_, err = s.Quit(ctx, c, waiting)
	}
	if err = errors.Join(err, ctx.Err()); err != nil {
		return Moved{}, err
	}
	// Only now: what was brought in may have been undone while the client was waited for.
	moved := s.TakeOut(s.twice(id, brought))
	plan, err := s.Plan(id, true)
	if err == nil {
		err = s.Carry(ctx, plan, waiting)
	}
	if err != nil && len(moved.Files) > 0 {
		return Moved{}, errors.Join(err, s.PutAllBack(ctx, moved.Files, nil))
	}
	return moved, err
}

// Preview is what [Setup.TakeOver] would do, for people to see before.
type Preview struct {
	Changes  []clients.Difference
	Commands []string // that take entries out of a client whose file is not ours to write
}

// Preview finds out what connecting a client by a plan changes, and what goes out of its files because it was brought in.
func (s *Setup) Preview(plan clients.Plan, brought imports.Plan) Preview {
	leaving := s.Leaving(s.twice(plan.Client.ID, brought))
	return Preview{Changes: s.Registrar.Differences(plan, leaving.Out), Commands: leaving.Commands}
}

// twice is what of a plan that was carried out a client has itself, although it is in a toolbox too, by the configuration as it is now.
func (s *Setup) twice(id string, brought imports.Plan) imports.Plan {
	var existing *config.Config
	if document, err := config.Read(s.Location); err == nil && document.Valid() {
		existing = document.Config
	}
	return brought.Of(id, imports.Make(imports.Options{System: s.System, Clients: []string{id}, Existing: existing}))
}
