package editor

import (
	"cmp"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// keyInText matches a quoted key in a text, and the value that the text shows for it: a string, or the start of
// another value.
var keyInText = lazyregexp.New(`"(\w+)"(: (?:[{\[tf]|"([^"]*)"))?`)

// formNames are the labels of the form by the keys of the file.
type formNames map[string]string

// say returns a text with the labels of the form in place of the keys of the file. It is for messages beside the
// fields, because the user of the form may never have seen the file. It does not change unquoted words, nor a key with
// another value than a string after it.
func (n formNames) say(text words.Text) string {
	text = text.MapQuoted(func(key string) string { return cmp.Or(n[key], key) })
	return keyInText.ReplaceAllStringFunc(kit.Say(text), func(found string) string {
		part := keyInText.FindStringSubmatch(found)
		name := n[part[1]]
		switch {
		case name == "" || part[2] != "" && part[3] == "":
			return found
		case part[2] != "":
			return kit.Quote(name) + ": " + part[3]
		}
		return kit.Quote(name)
	})
}
