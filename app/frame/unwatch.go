package frame

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"
)

// spareFolder ends the name of the folder that Unwatch leaves behind, empty, and that the next start removes.
const spareFolder = ".old"

// Unwatch keeps Fyne from reading its own preferences, such as the folder of the last file dialog, while it writes them. It writes them when the
// program ends: it empties the file, its own watch of the folder tells it of that, and it reads nothing and complains about it. The watch is of the
// folder that was there when Fyne was started. So another one takes its place, with all that is in it. Call it
// once no other start of the app runs: its watch is of a folder that goes.
//
// A folder that does not have the app's own name is left alone: an app made for a test has the folder for temporary files, which is everybody's.
func Unwatch(fyneApp fyne.App) {
	root := fyneApp.Storage().RootURI()
	if root == nil {
		return
	}
	folder := filepath.FromSlash(root.Path())
	if filepath.Base(folder) != fyneApp.UniqueID() {
		return
	}
	spare := folder + spareFolder
	moveInto(folder, spare) // files that an earlier start left there when it was killed
	if err := os.Remove(spare); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return // it may complain, then, and loses nothing
	}
	if os.Rename(folder, spare) != nil {
		return
	}
	if os.Mkdir(folder, 0o700) != nil {
		_ = os.Rename(spare, folder)
		return
	}
	moveInto(folder, spare)
}

// moveInto moves the files of one folder into another. A file whose name exists in both stays where it is.
func moveInto(folder, from string) {
	entries, _ := os.ReadDir(from)
	for _, entry := range entries {
		to := filepath.Join(folder, entry.Name())
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			_ = os.Rename(filepath.Join(from, entry.Name()), to)
		}
	}
}
