package main

import (
	"strings"
	"unicode"

	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// How many characters of a notification are shown. Windows refuses one of more than 5 KB altogether.
const (
	longestTitle  = 120
	longestNotice = 400
)

// plainNotice writes the texts of a notification so that the system goos shows them and does nothing else with them. The last
// words of a server, which may be anybody's, are in there, and Fyne hands them on in its own way:
//
//   - On Windows it writes them into a script between double quotes, where PowerShell ends a text at any of five kinds of such quotes
//     and takes ` and $ for commands. What Fyne does about quotes and backslashes is that of Go, which PowerShell does not know.
//   - On Linux the desktop reads the text, not the title, as markup, with links and pictures.
//   - On macOS they are handed over as they are, or as text of AppleScript, whose two special characters Fyne takes care of. Of a
//     % the documentation says that it is left out with what follows.
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
	return title, strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// noticeLine makes one line of a text, of so many characters at most, without those that cannot be seen or that turn the
// direction of writing.
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
