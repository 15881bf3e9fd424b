package app

import (
	"context"
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/extension"
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
func (d *desk) openExtension(path string, done func(*extension.Extension, error)) {
	d.background(func() {
		x, err := readExtension(d.commands.ctx, path)
		d.do(func() { done(x, err) })
	})
}

// unpack puts the files of an extension where its server is started from, unless the context ends before.
func (d *desk) unpack(ctx context.Context, x *extension.Extension, done func(remove func(), err error)) {
	ctx, stop := context.WithCancel(ctx)
	unhook := context.AfterFunc(d.commands.ctx, stop)
	d.background(func() {
		defer stop()
		defer unhook()
		made, err := x.Unpack(ctx)
		d.do(func() {
			if !made {
				done(nil, err)
				return
			}
			// What cannot be taken away again is in nobody's way.
			done(func() { d.background(func() { _ = x.Remove() }) }, nil)
		})
	})
}
