package frame

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"
)

// spareFolder is the suffix of the empty folder that Unwatch leaves behind. The next start removes it.
const spareFolder = ".old"

// Unwatch keeps Fyne from reading its own preferences while it writes them. At the end of the program, Fyne empties
// the preferences file and writes it again. Because Fyne also watches the folder, it then reads the empty file and
// complains. Fyne watches the folder that existed when Fyne was started, so Unwatch replaces that folder by a new one
// with the same content. Call Unwatch only if the app does not run a second time, because it would remove the folder
// that the other process watches.
//
// Unwatch does nothing if the folder does not have the app's own name: an app made for a test uses the folder for
// temporary files.
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
	moveInto(folder, spare) // files that are still there because an earlier process was killed
	if err := os.Remove(spare); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return // Fyne may complain then, but nothing is lost.
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
