// Package runtimes installs programs that start servers, such as Node.js and uv, for people who do not have
// them. It downloads the official archive for the system over https, compares it with a checksum in the
// program, and unpacks it into the user's own folder. Package environ puts that folder at the end of the PATH
// of servers, behind everything that the user has installed. Nothing else on the computer is changed.
//
// See docs/adr/083-programs-that-servers-need.md for where the checksums come from and how they are renewed.
package runtimes

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Options say where runtimes come from and where they are installed.
type Options struct {
	Folder string                   // the folder of the user's runtimes, see Runtimes of paths.Folders; required
	Getenv func(name string) string // for mirrors and proxies; nil: none
	Offers []Offer                  // the available runtimes; nil: [Offers] for this system

	stall time.Duration // how long a server may be silent; zero: the default
	pause time.Duration // before a lost connection is retried; zero: the default
}

// Runtimes are the runtimes of one user. It is safe for concurrent use, and several programs can use the same
// folder at the same time.
type Runtimes struct{ options Options }

// New returns the runtimes in a folder. It does not read the folder yet.
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

// State is the state of one runtime.
type State struct {
	Offer
	Installed string // the installed version; empty if none
	Folder    string // of its commands; empty if not installed
}

// Outdated reports whether a version other than the installed one is available.
func (s State) Outdated() bool { return s.Installed != "" && s.Installed != s.Version }

// List returns the runtimes that are available for this system, with their state.
func (r *Runtimes) List() []State {
	states := make([]State, len(r.options.Offers))
	for i, offer := range r.options.Offers {
		folder, version := environ.RuntimeFolder(r.options.Folder, offer.ID)
		states[i] = State{Offer: offer, Installed: version, Folder: folder}
	}
	return states
}

// Find returns one runtime of [Runtimes.List].
func (r *Runtimes) Find(id string) (State, bool) {
	for _, state := range r.List() {
		if state.ID == id {
			return state, true
		}
	}
	return State{}, false
}

// For returns the id of the runtime that contains a command; empty if there is none.
func For(command string) string {
	if id := config.ProductOf(command).ID; slices.Contains(environ.RuntimeIDs(), id) {
		return id
	}
	return ""
}

// Remove removes all versions of a runtime. Servers that run from it may end.
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

// Names in the folder beside the runtimes.
const (
	lockName    = ".lock"
	unpacking   = ".unpacking-" // begins the names of folders that are being filled or removed
	downloading = ".download"   // the folder of incomplete archives
)

// ErrBusy means that another window or command is installing or removing a runtime.
const ErrBusy = words.Code("runtimes.busy")

// locked calls do while no other program of ours installs or removes a runtime.
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

// sweep removes folders that killed programs left behind. The caller must hold the lock.
func (r *Runtimes) sweep() {
	left, _ := filepath.Glob(filepath.Join(r.options.Folder, unpacking+"*"))
	for _, folder := range left {
		_ = os.RemoveAll(folder) // the next sweep tries again
	}
}

// discard removes a folder. The folder is renamed first, so that nobody sees it half empty.
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

// reason returns an error of the system without its path, which would be that of a temporary file.
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
