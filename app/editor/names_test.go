package editor

import "testing"

// What is said beside a field names fields as the form does, with curly quotes, and shows no quotes of the file.
func TestFormNames(t *testing.T) {
	say := formNames()
	for text, want := range map[string]string{
		`"command" is empty`: "“Command” is empty",
		`Add the program that starts it, for example "command": "npx", or for a server on the network its "url"`: "Add the program that starts it, for example “Command”: npx, or for a server on the network its “Address”",
		`Write "env": {"NAME": "value"}`:  `Write "env": {"NAME": "value"}`,
		`Write "args": ["-y", "package"]`: `Write "args": ["-y", "package"]`,
		`"uvxx" was not found`:            `"uvxx" was not found`,
	} {
		if got := say(text); got != want {
			t.Errorf("%s\nbecame %s\nwant   %s", text, got, want)
		}
	}
}
