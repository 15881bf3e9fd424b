// Package filewatch gives notice when something happens to files, whatever programs do to them: write them in place, put others in
// their place, or delete them and write them again, through symbolic links or not. It watches folders, since a watch on a file ends
// when another file takes its place.
package filewatch

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/fsnotify/fsnotify"

	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// maxLinks is how many symbolic links in a row are followed, as in most systems.
const maxLinks = 40

// Options say how a [Watch] watches. The zero value is useful.
type Options struct {
	// Above has the nearest folder above watched where the folder of a file is missing. On macOS and BSD that keeps every file in
	// there open, and a home folder is busy everywhere; without it the owner has to look from time to time.
	Above bool

	// Open opens the system's notices; nil means [fsnotify.NewWatcher].
	Open func() (*fsnotify.Watcher, error)
}

// Watch gives notice of what happens to the files that it follows. Close it.
type Watch struct {
	// Touched has a value when something happened to a file, to a symbolic link to it or to its folder, or when notices were lost.
	// Stirred has one when something else happened in one of the folders, or the rights of a file were changed. Both hold one value
	// at most, however much happens.
	Touched, Stirred <-chan struct{}

	touched, stirred chan struct{}
	above            bool
	notices          *fsnotify.Watcher // nil when the system gives none
	passing          sync.WaitGroup
	names            atomic.Pointer[map[string]bool] // paths that matter, in lower case
	folders          map[string]os.FileInfo          // what is watched
}

// New returns a Watch that follows nothing yet. Where the system gives no notices, as when the user has too many watches, it stays
// silent; [Watch.Follow] tells.
func New(options Options) *Watch {
	if options.Open == nil {
		options.Open = fsnotify.NewWatcher
	}
	w := &Watch{touched: make(chan struct{}, 1), stirred: make(chan struct{}, 1), above: options.Above, folders: map[string]os.FileInfo{}}
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
		_ = w.notices.Close() // nothing is lost if it fails
	}
	w.passing.Wait()
}

// pass passes notices on until Close. It never waits: changing what is watched would hang as long as notices are not taken.
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
			if names != nil && (*names)[strings.ToLower(event.Name)] && event.Op != fsnotify.Chmod {
				pause.Wake(w.touched)
			} else {
				pause.Wake(w.stirred)
			}
		case _, ok := <-errors:
			if !ok {
				errors = nil
				continue
			}
			pause.Wake(w.touched) // notices were lost
		}
	}
}

// Follow watches over these files, and no others, from now on. Call it again whenever something happened, since links and folders
// may lead elsewhere by then. added reports that a folder is watched that was not before, in which something may have happened
// already; complete reports that there will be notice of all that happens to the files.
func (w *Watch) Follow(files ...string) (added, complete bool) {
	if w.notices == nil {
		return false, false
	}
	found := places{folders: map[string]os.FileInfo{}, names: map[string]bool{}, complete: true}
	for _, file := range files {
		found.file(file, w.above)
	}
	w.names.Store(&found.names)
	watched := w.notices.WatchList() // the system drops folders that are deleted
	for folder, info := range w.folders {
		now, ok := found.folders[folder]
		if ok && os.SameFile(info, now) && slices.Contains(watched, folder) {
			continue
		}
		if slices.Contains(watched, folder) {
			_ = w.notices.Remove(folder) // it may be gone by now
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

// places are the folders to watch and the paths in them that matter, in lower case.
type places struct {
	folders  map[string]os.FileInfo
	names    map[string]bool
	complete bool // nothing is left out
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
			// Not the cleaned path: ".." after a link to a folder means that folder's parent.
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return
			}
			target = filepath.Join(folder, target)
		}
		path = target
	}
}

// add adds one path. Where its folder is missing, above adds the first missing folder on the way to it instead.
func (p *places) add(path string, above bool) {
	for {
		folder, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err == nil {
			if info, err := os.Stat(folder); err == nil && info.IsDir() {
				p.folders[folder] = info
				p.names[strings.ToLower(filepath.Join(folder, filepath.Base(path)))] = true
				p.names[strings.ToLower(folder)] = true // it may go itself
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
