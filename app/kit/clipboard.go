package kit

import "fyne.io/fyne/v2"

// holder is asked before the clipboard is read; see AskHolder.
var holder struct {
	answers func() bool
	silent  func()
}

// AskHolder makes Pasted ask with answers, before it reads the clipboard, whether the program that holds it answers.
// silent is called if it does not. Call AskHolder before a window is shown.
func AskHolder(answers func() bool, silent func()) { holder.answers, holder.silent = answers, silent }

// Pasted returns the text of the clipboard. It returns false, and the user has been told, if the program that holds the
// clipboard does not answer.
func Pasted(clipboard fyne.Clipboard) (string, bool) {
	if holder.answers != nil && !holder.answers() {
		holder.silent()
		return "", false
	}
	return clipboard.Content(), true
}
