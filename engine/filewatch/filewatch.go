// Package filewatch notifies of changes to files, however programs make them: they write files in place,
// replace them, or delete them and write them again, with or without symbolic links. It watches folders,
// since a watch on a file ends when another file replaces it. On macOS a watch on a folder opens everything in it, so
// there the folders that are the user's own are not watched, see [Options].
package filewatch

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/fsnotify/fsnotify"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// maxLinks is how many symbolic links in a row are followed, as in most systems.
const maxLinks = 40

// Options are the options of a [Watch]. The zero value is usable.
type Options struct {
	// Above watches the nearest existing folder above a file whose folder is missing. Without Above, and on macOS,
	// the caller has to poll.
	Above bool

	// Opens says whether watching a folder opens all that is in it, and which folders must then not be watched. In
	// such a folder only the file itself is watched, and the caller has to poll too. Nil means the system's own: none
	// but on macOS, and there see [private].
	Opens func(folder string) bool

	// Open opens the system's notifications; nil means [fsnotify.NewWatcher].
	Open func() (*fsnotify.Watcher, error)
}

// Watch notifies of changes to the files that it follows. The caller must close it.
type Watch struct {
	// Touched receives a value when a file, a symbolic link to it or its folder was changed, or when
	// notifications were lost. Stirred receives one when something else in one of the folders was changed, or
	// the permissions of a file. Both hold at most one value.
	Touched, Stirred <-chan struct{}

	touched, stirred chan struct{}
	above            bool
	opens            func(folder string) bool // nil if watching opens nothing
	notices          *fsnotify.Watcher        // nil if the system has no notifications
	passing          background.Group
	names            atomic.Pointer[map[string]bool] // paths that matter, in lower case
	folders          map[string]os.FileInfo          // the watched folders, and the files that are watched alone
}

// New returns a Watch that follows nothing yet. If the system gives no notifications, for example because the
// user has too many watches, it never sends anything; [Watch.Follow] reports that.
func New(options Options) *Watch {
	if options.Open == nil {
		options.Open = fsnotify.NewWatcher
	}
	if options.Opens == nil && runtime.GOOS == "darwin" {
		options.Opens = private(paths.Here(os.Getenv).Home)
	}
	w := &Watch{
		touched: make(chan struct{}, 1), stirred: make(chan struct{}, 1), above: options.Above && options.Opens == nil,
		opens:   options.Opens,
		folders: map[string]os.FileInfo{},
	}
	w.Touched, w.Stirred = w.touched, w.stirred
	if notices, err := options.Open(); err == nil {
		w.notices = notices
		w.passing.Go(w.pass)
	}
	return w
}

// Close ends the watch and waits for its goroutine. The channels stay open.
func (w *Watch) Close() {
	if w.notices != nil {
		_ = w.notices.Close() // a failure does no harm
	}
	w.passing.Wait()
}

// pass passes on notifications until Close. It never blocks: changing what is watched would hang while
// notifications are not received.
func (w *Watch) pass() {
	events, errors := w.notices.Events, w.notices.Errors
	for events != nil || errors != nil {
		select {
		case event, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			names := w.names.Load()
			if names != nil && (*names)[paths.Fold(event.Name)] && event.Op != fsnotify.Chmod {
				pause.Wake(w.touched)
			} else {
				pause.Wake(w.stirred)
			}
		case _, ok := <-errors:
			if !ok {
				errors = nil
				continue
			}
			pause.Wake(w.touched) // notifications were lost
		}
	}
}

// Follow makes the watch follow exactly these files. Call it again after each change, since links and folders
// may then lead elsewhere. added reports that a folder is watched that was not before, in which something may
// have changed already. complete reports that all changes to the files will be notified.
func (w *Watch) Follow(files ...string) (added, complete bool) {
	if w.notices == nil {
		return false, false
	}
	found := places{opens: w.opens, folders: map[string]os.FileInfo{}, names: map[string]bool{}, complete: true}
	for _, file := range files {
		found.file(file, w.above)
	}
	w.names.Store(&found.names)
	watched := w.notices.WatchList() // the system removes deleted folders
	for folder, info := range w.folders {
		now, ok := found.folders[folder]
		if ok && os.SameFile(info, now) && slices.Contains(watched, folder) {
			continue
		}
		if slices.Contains(watched, folder) {
			_ = w.notices.Remove(folder) // it may not exist any more
		}
		delete(w.folders, folder)
	}
	complete = found.complete
	for _, folder := range slices.Sorted(maps.Keys(found.folders)) {
		if _, ok := w.folders[folder]; ok {
			continue
		}
		if w.notices.Add(folder) != nil {
			complete = false
			continue
		}
		w.folders[folder] = found.folders[folder]
		added = true
	}
	return added, complete
}

// places has the folders to watch and the paths in them that matter, folded.
type places struct {
	opens    func(folder string) bool
	folders  map[string]os.FileInfo // also files to watch alone
	names    map[string]bool
	complete bool // no folder is left out
}

// file adds a file and every symbolic link on the way to it.
func (p *places) file(path string, above bool) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		p.add(real, above)
	}
	for range maxLinks {
		p.add(path, above)
		target, err := os.Readlink(path)
		if err != nil {
			return
		}
		if !filepath.IsAbs(target) {
			// The path is not cleaned: ".." after a link to a folder means that folder's parent.
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return
			}
			target = filepath.Join(folder, target)
		}
		path = target
	}
}

// add adds one path. If its folder is missing and above is set, it adds the first missing folder on the path
// instead.
func (p *places) add(path string, above bool) {
	for {
		folder, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err == nil {
			if info, err := os.Stat(folder); err == nil && info.IsDir() {
				path := filepath.Join(folder, filepath.Base(path))
				p.names[paths.Fold(path)] = true
				if p.opens != nil && p.opens(folder) {
					p.alone(path)
					return
				}
				p.folders[folder] = info
				p.names[paths.Fold(folder)] = true // the folder itself may be removed
				return
			}
		}
		if !above || filepath.Dir(path) == path {
			p.complete = false
			return
		}
		path = filepath.Dir(path)
	}
}

// alone adds a file without its folder. What replaces it later is not noticed until it is followed again.
func (p *places) alone(path string) {
	p.complete = false
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		p.folders[path] = info
	}
}
