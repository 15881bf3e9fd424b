package editor

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A message beside a field uses the labels of the form in curly quotation marks, and not the keys of the file.
func TestFormNames(t *testing.T) {
	say := formNames(live.Fields()).say
	for text, want := range map[string]string{
		`"command" is empty`: "“Command” is empty",
		`Add the program that starts it, for example "command": "npx", or for a server on the network its "url"`: "Add the program that starts it, for example “Command”: npx, or for a server on the network its “Address”",
		`Write "env": {"NAME": "value"}`:  `Write "env": {"NAME": "value"}`,
		`Write "args": ["-y", "package"]`: `Write "args": ["-y", "package"]`,
		`Write "disabled": true`:          `Write "disabled": true`, // not "In use", which is the opposite
		`"uvxx" was not found`:            `"uvxx" was not found`,
	} {
		if got := say(words.Foreign(text)); got != want {
			t.Errorf("%s\nbecame %s\nwant   %s", text, got, want)
		}
	}
	for key, want := range map[string]string{"startupTimeout": "“To start” is negative", "other": "“other” is negative"} {
		if got := say(words.New("config.negative_time", "Field", words.Quoted(key))); got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
}
