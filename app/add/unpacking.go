package add

import (
	"context"
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/extension"
)

// readExtension reads a bundle. It unpacks nothing.
func readExtension(ctx context.Context, path string) (*extension.Extension, error) {
	here, err := extension.ThisSystem(os.Getenv)
	if err != nil {
		return nil, err
	}
	return extension.Read(ctx, path, here)
}

// unpackable is an extension that can be unpacked.
type unpackable interface {
	Unpack(ctx context.Context) (made bool, err error)
	Remove() error
}

// unpack unpacks an extension unless the context is cancelled. It calls done with a function that removes the files
// again, or with an error.
func (s *Service) unpack(ctx context.Context, x unpackable, done func(remove func(), err error)) {
	ctx, stop := s.options.Tasks.Join(ctx)
	s.place(func() {
		defer stop()
		made, err := x.Unpack(ctx)
		if made && ctx.Err() != nil { // When the app ends, done is not called, so nobody else would remove the files.
			_ = x.Remove()
			made, err = false, ctx.Err()
		}
		s.options.Tasks.Do(func() {
			if !made {
				done(nil, err)
				return
			}
			// If removing fails, the files that stay do no harm.
			done(func() { s.place(func() { _ = x.Remove() }) }, nil)
		})
	})
}

// place works on the files of extensions in the background, one call after the other, because an extension that is
// given up and added again has the same folder. Call it only on the goroutine of the window.
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
