package editor

import (
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// keyInText is a quoted key in a text, with what the text has the file say there: the beginning of a group or a list, or a text in quotes.
var keyInText = lazyregexp.New(`"(\w+)"(: (?:[{\[]|"([^"]*)"))?`)

// formNames returns what puts the names that the form has in the place of the keys of the file, in what is said beside its fields: whoever fills
// them in may have never seen the file. Only quoted keys are replaced, and not where a text shows a group or a list as the file has it.
func formNames() func(text string) string {
	names := live.Fields()
	return func(text string) string {
		return keyInText.ReplaceAllStringFunc(text, func(found string) string {
			part := keyInText.FindStringSubmatch(found)
			name := names[part[1]]
			switch {
			case name == "" || part[2] != "" && part[3] == "":
				return found
			case part[2] != "":
				return kit.Quote(name) + ": " + part[3]
			}
			return kit.Quote(name)
		})
	}
}
