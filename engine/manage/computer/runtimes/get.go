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

// Step is a step of getting a runtime.
type Step int

// The steps, in their order.
const (
	Connecting Step = iota
	Downloading
	Unpacking
)

// Progress says how far the work is.
type Progress struct {
	Step      Step
	Done, All int64 // bytes; All is zero if not known
}

// Get installs the offered version of a runtime, and removes other versions that nothing runs from; see
// [Runtimes.Tidy]. If that version is installed already, Get does nothing. progress may be nil; it is called
// now and then on the caller's goroutine. A download that was cut off is continued by the next call. After
// any other failure, nothing stays on the disk.
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
		_ = os.RemoveAll(filepath.Join(r.options.Folder, downloading)) // the archive is unpacked or useless
	}()
	if err := ctx.Err(); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(r.options.Folder, unpacking+"*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary) // after success there is nothing to remove
	if err := unpack(ctx, offer, file, temporary, progress); err != nil {
		return err
	}
	place := filepath.Join(r.options.Folder, offer.ID)
	if err := os.MkdirAll(place, 0o700); err != nil {
		return err
	}
	target := filepath.Join(place, offer.Version)
	if err := r.discard(target); err != nil { // something else is in the place of the folder
		return err
	}
	if err := atomicfile.Rename(temporary, target); err != nil {
		return err
	}
	r.tidy(offer)
	return nil
}

// explain turns an error of the system into one that says what could not be done.
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

// seldom returns a function that passes on the beginning of each step, and otherwise at most ten updates a
// second.
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

// counting is a reader that reports how much was read, and fails when its context ends.
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
