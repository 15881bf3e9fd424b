package kit

import (
	"sync"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Words returns what says texts of the engine in the language of the window.
func Words() words.Printer { return printer() }

// Say returns a text of the engine in the language of the window.
func Say(text words.Text) string { return printer().Text(text) }

// SayError returns what an error says in the language of the window.
func SayError(err error) string { return printer().Error(err) }

var printer = sync.OnceValue(func() words.Printer { return words.In(string(lang.SystemLocale())) })
