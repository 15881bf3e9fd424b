package runtimes

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Step is what is being done to get a runtime.
type Step int

// The steps, in their order.
const (
	Connecting Step = iota
	Downloading
	Unpacking
)

// Progress is how far it is.
type Progress struct {
	Step      Step
	Done, All int64 // bytes; All is zero when it is not known
}

// Get gets a runtime in the version that is offered, and takes others away that nothing runs from, see [Runtimes.Tidy]. It does nothing where
// that version is there already. progress, which may be nil, is called now and then, on the goroutine of the caller. A download that a lost
// connection, or the end of the program, has cut off goes on where it was the next time. Otherwise nothing of one that does not succeed stays.
func (r *Runtimes) Get(ctx context.Context, id string, progress func(Progress)) error {
	offer, err := r.offer(id)
	if err != nil {
		return err
	}
	if progress == nil {
		progress = func(Progress) {}
	}
	return r.locked(ctx, func() error {
		if _, version := environ.RuntimeFolder(r.options.Folder, id); version == offer.Version {
			return nil
		}
		progress(Progress{Step: Connecting})
		err := r.get(ctx, offer, seldom(progress))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return r.explain(offer, err)
	})
}

func (r *Runtimes) get(ctx context.Context, offer Offer, progress func(Progress)) error {
	file, err := r.download(ctx, offer, progress)
	if err != nil {
		return err
	}
	defer func() {
		_ = file.Close()
		_ = os.RemoveAll(filepath.Join(r.options.Folder, downloading)) // the archive is not needed any more, or no good
	}()
	if err := ctx.Err(); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(r.options.Folder, unpacking+"*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary) // nothing is left of it when all went well
	if err := unpack(ctx, offer, file, temporary, progress); err != nil {
		return err
	}
	place := filepath.Join(r.options.Folder, offer.ID)
	if err := os.MkdirAll(place, 0o700); err != nil {
		return err
	}
	target := filepath.Join(place, offer.Version)
	if err := r.discard(target); err != nil { // no folder of that version, since there was none: something else is in the way
		return err
	}
	if err := atomicfile.Rename(temporary, target); err != nil {
		return err
	}
	r.tidy(offer)
	return nil
}

// explain says of an error of the system what could not be done.
func (r *Runtimes) explain(offer Offer, err error) error {
	var said interface{ Text() words.Text }
	switch {
	case err == nil || errors.As(err, &said):
		return err
	case atomicfile.IsFull(err):
		return words.NewError("runtimes.disk_full", "Name", offer.Name, "Folder", r.options.Folder)
	}
	return words.NewError("runtimes.not_written", "Folder", r.options.Folder, "Why", reason(err))
}

// seldom passes progress on ten times a second at most, and each beginning of a step.
func seldom(progress func(Progress)) func(Progress) {
	const often = 100 * time.Millisecond
	var last Progress
	var told time.Time
	return func(p Progress) {
		if p.Step != last.Step || p.Done == p.All || time.Since(told) >= often {
			last, told = p, time.Now()
			progress(p)
		}
	}
}

// counting tells of what is read through it, and ends with a context.
type counting struct {
	ctx      context.Context
	r        io.Reader
	done     int64
	progress func(done int64)
}

func (c *counting) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(b)
	c.done += int64(n)
	c.progress(c.done)
	return n, err
}
