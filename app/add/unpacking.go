package add

import (
	"context"
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/extension"
)

// readExtension reads a bundle that was chosen or dropped. Nothing of it is put on the computer.
func readExtension(ctx context.Context, path string) (*extension.Extension, error) {
	here, err := extension.ThisSystem(os.Getenv)
	if err != nil {
		return nil, err
	}
	return extension.Read(ctx, path, here)
}

// unpackable is an extension whose files can be put on the computer.
type unpackable interface {
	Unpack(ctx context.Context) (made bool, err error)
	Remove() error
}

// unpack puts the files of an extension where its server is started from, unless the context ends before.
func (s *Service) unpack(ctx context.Context, x unpackable, done func(remove func(), err error)) {
	ctx, stop := s.options.Tasks.Join(ctx)
	s.place(func() {
		defer stop()
		made, err := x.Unpack(ctx)
		if made && ctx.Err() != nil { // at the end of the app nobody hears of it, and so nobody would take them away
			_ = x.Remove()
			made, err = false, ctx.Err()
		}
		s.options.Tasks.Do(func() {
			if !made {
				done(nil, err)
				return
			}
			// What cannot be taken away again is in nobody's way.
			done(func() { s.place(func() { _ = x.Remove() }) }, nil)
		})
	})
}

// place does something with the files of extensions in the background, one after the other: what is given up and added again has the same
// folder. It belongs to the goroutine of the window.
func (s *Service) place(work func()) {
	before, done := s.placing, make(chan struct{})
	s.placing = done
	s.options.Tasks.Background(func() {
		defer close(done)
		if before != nil {
			<-before
		}
		work()
	})
}
