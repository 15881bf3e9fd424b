package app

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

// openExtension reads a bundle in the background.
func (d *controller) openExtension(path string, done func(*extension.Extension, error)) {
	d.tasks.Background(func() {
		x, err := readExtension(d.tasks.Context(), path)
		d.tasks.Do(func() { done(x, err) })
	})
}

// unpackable is an extension whose files can be put on the computer.
type unpackable interface {
	Unpack(ctx context.Context) (made bool, err error)
	Remove() error
}

// unpack puts the files of an extension where its server is started from, unless the context ends before.
func (d *controller) unpack(ctx context.Context, x unpackable, done func(remove func(), err error)) {
	ctx, stop := context.WithCancel(ctx)
	unhook := context.AfterFunc(d.tasks.Context(), stop)
	d.place(func() {
		defer stop()
		defer unhook()
		made, err := x.Unpack(ctx)
		if made && ctx.Err() != nil { // at the end of the app nobody hears of it, and so nobody would take them away
			_ = x.Remove()
			made, err = false, ctx.Err()
		}
		d.tasks.Do(func() {
			if !made {
				done(nil, err)
				return
			}
			// What cannot be taken away again is in nobody's way.
			done(func() { d.place(func() { _ = x.Remove() }) }, nil)
		})
	})
}

// place does something with the files of extensions in the background, one after the other: what is given up and added again has the same
// folder. It belongs to the goroutine of the window.
func (d *controller) place(work func()) {
	before, done := d.placing, make(chan struct{})
	d.placing = done
	d.tasks.Background(func() {
		defer close(done)
		if before != nil {
			<-before
		}
		work()
	})
}
