package clients

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/fsnotify/fsnotify"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

// fileWatch gives notice when something happens to files. It watches their folders, because programs put other files in their
// place; where a folder is missing, the nearest above it.
type fileWatch struct {
	notices *fsnotify.Watcher // nil when the system gives none
	touched chan struct{}
	names   atomic.Pointer[map[string]bool] // paths that matter, in lower case
}

func newFileWatch() *fileWatch {
	w := &fileWatch{touched: make(chan struct{}, 1)}
	// On error, for example when the user has too many watches, files are looked at from time to time.
	if notices, err := fsnotify.NewWatcher(); err == nil {
		w.notices = notices
	}
	return w
}

func (w *fileWatch) close() {
	if w.notices != nil {
		_ = w.notices.Close() // nothing is lost if it fails
	}
}

// drain passes notices on until close. It never waits: changing what is watched would hang as long as notices are not taken.
func (w *fileWatch) drain() {
	if w.notices == nil {
		return
	}
	events, errors := w.notices.Events, w.notices.Errors
	for events != nil || errors != nil {
		select {
		case event, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			names := w.names.Load()
			if names == nil || !(*names)[strings.ToLower(event.Name)] || event.Op == fsnotify.Chmod {
				continue
			}
		case _, ok := <-errors:
			if !ok {
				errors = nil
				continue
			}
			// Notices were lost.
		}
		select {
		case w.touched <- struct{}{}:
		default:
		}
	}
}

// follow watches over these files from now on. It tells whether there will be notice of all that happens to them.
func (w *fileWatch) follow(files []string) bool {
	if w.notices == nil {
		return false
	}
	wanted, names := map[string]bool{}, map[string]bool{}
	add := func(path string) {
		folder := filepath.Dir(path)
		for !isFolder(folder) && folder != filepath.Dir(folder) {
			path, folder = folder, filepath.Dir(folder)
		}
		wanted[folder] = true
		names[strings.ToLower(path)] = true
		names[strings.ToLower(folder)] = true // it may go itself
	}
	for _, file := range files {
		add(file)
		if target, err := atomicfile.FollowLinks(file); err == nil && target != file {
			add(target)
		}
	}
	w.names.Store(&names)
	watched := w.notices.WatchList() // the system drops folders that are deleted
	for _, folder := range watched {
		if !wanted[folder] {
			_ = w.notices.Remove(folder) // it may be gone by now
		}
	}
	all := true
	for _, folder := range slices.Sorted(maps.Keys(wanted)) {
		if !slices.Contains(watched, folder) {
			all = w.notices.Add(folder) == nil && all
		}
	}
	return all
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
