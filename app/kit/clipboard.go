package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/clipboard"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// Pasted returns the text of the clipboard. It returns false, and a notification says why, if the program that holds
// the clipboard does not answer.
func Pasted(board fyne.Clipboard) (string, bool) {
	if clipboard.Answers(nativeWindow()) {
		return board.Content(), true
	}
	app := fyne.CurrentApp()
	notice := fyne.NewNotification(app.Metadata().Name,
		lang.L("The program that holds the clipboard does not answer."))
	background.Go(func() { app.SendNotification(notice) }) // it waits for the desktop
	return "", false
}

// nativeWindow returns a window of ours as X knows it, or 0 where there is no X.
func nativeWindow() (found uintptr) {
	for _, w := range fyne.CurrentApp().Driver().AllWindows() {
		if native, ok := w.(driver.NativeWindow); ok {
			native.RunNative(func(context any) {
				if x, ok := context.(driver.X11WindowContext); ok && x.WindowHandle != 0 {
					found = x.WindowHandle
				}
			})
		}
	}
	return found
}
