package config

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/fsnotify/fsnotify"
)

// maxLinks is how many symbolic links in a row are followed, as in most systems.
const maxLinks = 40

// folderWatch gives notice of what happens in the folders of one file. Files themselves cannot be
// watched, because editors put others in their place.
type folderWatch struct {
	notices *fsnotify.Watcher // nil when the system gives none

	touched chan struct{} // something happened to the file, or to a link to it
	stirred chan struct{} // something else happened that may concern it

	names   atomic.Pointer[map[string]bool] // of the file and the links to it, in lower case
	folders map[string]os.FileInfo          // what is watched
}

func newFolderWatch(open func() (*fsnotify.Watcher, error)) *folderWatch {
	f := &folderWatch{
		touched: make(chan struct{}, 1),
		stirred: make(chan struct{}, 1),
		folders: map[string]os.FileInfo{},
	}
	// On error, for example when the user has too many watches, the file is polled.
	if notices, err := open(); err == nil {
		f.notices = notices
	}
	return f
}

func (f *folderWatch) close() {
	if f.notices != nil {
		f.notices.Close() // nothing is lost if it fails
	}
}

// drain passes notices on until close. It does nothing else, and never waits: adding and removing
// folders would hang as long as notices are not taken.
func (f *folderWatch) drain() {
	if f.notices == nil {
		return
	}
	events, errors := f.notices.Events, f.notices.Errors
	for events != nil || errors != nil {
		select {
		case event, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			names := f.names.Load()
			if names != nil && (*names)[strings.ToLower(filepath.Base(event.Name))] {
				signal(f.touched)
			} else {
				signal(f.stirred)
			}
		case _, ok := <-errors:
			if !ok {
				errors = nil
				continue
			}
			signal(f.touched) // notices were lost
		}
	}
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default: // there is one already
	}
}

// follow watches the folders in which the file and the links to it are now. It tells whether there
// is a folder among them that was not watched before, in which something may have happened already.
func (f *folderWatch) follow(path string) (added bool) {
	if f.notices == nil {
		return false
	}
	wanted, names := whereabouts(path)
	f.names.Store(&names)
	watched := f.notices.WatchList() // the system drops folders that are deleted
	for folder, info := range f.folders {
		now, ok := wanted[folder]
		if ok && os.SameFile(info, now) && slices.Contains(watched, folder) {
			continue
		}
		if slices.Contains(watched, folder) {
			_ = f.notices.Remove(folder) // it may be gone by now
		}
		delete(f.folders, folder)
	}
	for _, folder := range slices.Sorted(maps.Keys(wanted)) {
		if _, ok := f.folders[folder]; ok {
			continue
		}
		if f.notices.Add(folder) == nil {
			f.folders[folder] = wanted[folder]
			added = true
		}
	}
	return added
}

// whereabouts returns the folders of a file and of every symbolic link on the way to it, and the
// names in them that matter.
func whereabouts(path string) (folders map[string]os.FileInfo, names map[string]bool) {
	folders, names = map[string]os.FileInfo{}, map[string]bool{}
	add := func(path string) {
		names[strings.ToLower(filepath.Base(path))] = true
		folder, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return // it doesn't exist yet
		}
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			folders[folder] = info
		}
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		add(real)
	}
	for range maxLinks {
		add(path)
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			// Not the cleaned path: ".." after a link to a folder means that folder's parent.
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				break
			}
			target = filepath.Join(folder, target)
		}
		path = target
	}
	return folders, names
}
