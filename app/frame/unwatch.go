package frame

import (
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"
)

// spareFolder ends the name of the folder that Unwatch leaves behind, which the next start removes.
const spareFolder = ".old"

// Unwatch keeps Fyne from reading its own preferences, such as the folder of the last file dialog, while it writes them. It writes them when the
// program ends: it empties the file, its own watch of the folder tells it of that, and it reads nothing and complains about it. The watch is of the
// folder that was there when Fyne was started. So another one takes its place, with all that is in it. Call it
// once no other start of the app runs: its watch is of a folder that goes.
func Unwatch(fyneApp fyne.App) {
	root := fyneApp.Storage().RootURI()
	if root == nil {
		return
	}
	folder := filepath.FromSlash(root.Path())
	spare := folder + spareFolder
	if os.RemoveAll(spare) != nil || os.Rename(folder, spare) != nil {
		return // it may complain, then, and loses nothing
	}
	if os.MkdirAll(folder, 0o700) != nil {
		_ = os.Rename(spare, folder)
		return
	}
	entries, _ := os.ReadDir(spare)
	for _, entry := range entries {
		_ = os.Rename(filepath.Join(spare, entry.Name()), filepath.Join(folder, entry.Name()))
	}
}
