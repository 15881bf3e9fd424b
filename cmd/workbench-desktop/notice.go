package main

import (
	"strings"
	"unicode"

	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// The largest number of characters in a notification. Windows refuses one of more than 5 KB in total.
const (
	longestTitle  = 120
	longestNotice = 400
)

// plainNotice returns the texts of a notification in a form in which the system goos shows them as plain
// text. They can contain the last output of a server, which may be hostile, and Fyne passes them on
// differently on each system:
//
//   - On Windows it writes them into a script between double quotes. PowerShell ends a text at any of five kinds of such quotes,
//     and treats ` and $ as commands. Fyne escapes quotes and backslashes as Go does, which PowerShell does not understand.
//   - On Linux the desktop may treat the text, but not the title, as markup with links and pictures. Package notify asks it.
//   - On macOS they are passed on unchanged, or as text of AppleScript, whose two special characters Fyne escapes. According to the
//     documentation, a % is removed together with what follows.
func plainNotice(goos, title, text string) (string, string) {
	title, text = noticeLine(title, longestTitle), noticeLine(text, longestNotice)
	switch goos {
	case "windows":
		harmless := strings.NewReplacer(`"`, "'", "“", "'", "”", "'", "„", "'", "‟", "'", "`", "'", "$", "＄", `\`, "/")
		return harmless.Replace(title), harmless.Replace(text)
	case "darwin":
		harmless := strings.NewReplacer("%", "％")
		return harmless.Replace(title), harmless.Replace(text)
	}
	return title, text
}

// noticeLine returns a text on one line, with no more than most characters, without invisible ones and those
// that change the direction of text.
func noticeLine(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
	return visible.Cut(strings.Join(strings.Fields(text), " "), most)
}
