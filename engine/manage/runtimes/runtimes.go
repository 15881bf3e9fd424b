// Package runtimes gets the programs that servers are started with, such as Node.js and uv, for people who do not have them: the official
// archive for the system, over https, checked against a sum that is in the program, unpacked into the user's own folder. Engines find what
// is there with package environ, which puts it behind everything that the user has; nothing else of the computer is changed.
//
// Where the sums come from, and how they are renewed, is told in docs/adr/083-programs-that-servers-need.md.
package runtimes

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Options say where runtimes come from and where they go.
type Options struct {
	Folder string                   // of the user's runtimes, see Runtimes of paths.Folders; required
	Getenv func(name string) string // says mirrors and proxies; nil: none
	Offers []Offer                  // what can be got; nil: [Offers] for this system

	stall time.Duration // how long a server may say nothing; zero: the usual
	pause time.Duration // before a lost connection is tried again; zero: the usual
}

// Runtimes are the runtimes of one user. Its methods can be called on any goroutine, and several programs can use one folder at the
// same time.
type Runtimes struct{ options Options }

// New returns the runtimes in a folder. It looks at nothing yet.
func New(options Options) *Runtimes {
	if options.Getenv == nil {
		options.Getenv = func(string) string { return "" }
	}
	if options.Offers == nil && runs(runtime.GOOS, runtime.GOARCH) {
		options.Offers = Offers(runtime.GOOS, runtime.GOARCH)
	}
	if options.stall == 0 {
		options.stall = 30 * time.Second
	}
	if options.pause == 0 {
		options.pause = time.Second
	}
	return &Runtimes{options}
}

// State is how it stands with one runtime.
type State struct {
	Offer
	Installed string // the version that is there; empty: none
	Folder    string // where its commands are; empty: nowhere
}

// Outdated reports whether another version can be got than the one that is there.
func (s State) Outdated() bool { return s.Installed != "" && s.Installed != s.Version }

// List returns the runtimes that can be got on this system, and what is there of them.
func (r *Runtimes) List() []State {
	states := make([]State, len(r.options.Offers))
	for i, offer := range r.options.Offers {
		folder, version := environ.RuntimeFolder(r.options.Folder, offer.ID)
		states[i] = State{Offer: offer, Installed: version, Folder: folder}
	}
	return states
}

// Find returns one of [Runtimes.List].
func (r *Runtimes) Find(id string) (State, bool) {
	for _, state := range r.List() {
		if state.ID == id {
			return state, true
		}
	}
	return State{}, false
}

// For returns the id of the runtime that brings a command; empty when none does.
func For(command string) string {
	if strings.ContainsAny(command, `/\`) { // a path says where the program is
		return ""
	}
	switch need := catalogue.NeedsOf(command); need {
	case catalogue.NeedsNode, catalogue.NeedsUV:
		return string(need)
	}
	return ""
}

// Remove takes a runtime away, all versions of it. Servers that run from it may end.
func (r *Runtimes) Remove(ctx context.Context, id string) error {
	offer, err := r.offer(id)
	if err != nil {
		return err
	}
	return r.locked(ctx, func() error {
		if err := r.discard(filepath.Join(r.options.Folder, id)); err != nil {
			return words.NewError("runtimes.not_removed", "Name", offer.Name, "Why", reason(err))
		}
		return nil
	})
}

func (r *Runtimes) offer(id string) (Offer, error) {
	var ids []string
	for _, offer := range r.options.Offers {
		if offer.ID == id {
			return offer, nil
		}
		ids = append(ids, offer.ID)
	}
	if len(ids) == 0 {
		return Offer{}, words.NewError("runtimes.none_here", "System", runtime.GOOS+"/"+runtime.GOARCH)
	}
	return Offer{}, words.NewError("runtimes.unknown", "Name", id, "Known", words.And(ids...))
}

// Names of what is in the folder beside the runtimes.
const (
	lockName    = ".lock"
	unpacking   = ".unpacking-" // begins the names of folders that are being filled or taken away
	downloading = ".download"   // the folder of archives that are not whole yet
)

// ErrBusy says that another window or command is at it.
const ErrBusy = words.Code("runtimes.busy")

// locked does something while no other program of ours gets or removes a runtime.
func (r *Runtimes) locked(ctx context.Context, do func() error) error {
	if err := os.MkdirAll(r.options.Folder, 0o700); err != nil {
		return words.NewError("runtimes.not_written", "Folder", r.options.Folder, "Why", reason(err))
	}
	lock := flock.New(filepath.Join(r.options.Folder, lockName), flock.SetPermissions(0o600))
	switch got, err := lock.TryLock(); {
	case err != nil:
		return words.NewError("runtimes.not_written", "Folder", r.options.Folder, "Why", reason(err))
	case !got:
		return ErrBusy
	}
	defer func() { _ = lock.Close() }()
	if err := ctx.Err(); err != nil {
		return err
	}
	r.sweep()
	return do()
}

// sweep takes away what programs that were ended meanwhile have left. Whoever calls it has the lock.
func (r *Runtimes) sweep() {
	left, _ := filepath.Glob(filepath.Join(r.options.Folder, unpacking+"*"))
	for _, folder := range left {
		_ = os.RemoveAll(folder) // the next one tries again
	}
}

// discard takes a folder away so that nobody sees it half empty: it is moved first.
func (r *Runtimes) discard(folder string) error {
	if _, err := os.Lstat(folder); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	aside, err := os.MkdirTemp(r.options.Folder, unpacking+"*")
	if err != nil {
		return err
	}
	err = atomicfile.Rename(folder, filepath.Join(aside, "old"))
	return errors.Join(err, os.RemoveAll(aside))
}

// reason is an error of the system without paths, which would be those of temporary files.
func reason(err error) string {
	for _, known := range []error{os.ErrPermission, os.ErrNotExist, os.ErrExist} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	var unknown *net.DNSError
	if errors.As(err, &unknown) {
		return unknown.Err
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err.Error()
}
