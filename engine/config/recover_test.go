package config

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestRecover removes each punctuation mark of a document, doubles it, and replaces it by another, one at a
// time. It checks that other problems before and after the mark are still found.
func TestRecover(t *testing.T) {
	for name, text := range map[string]string{
		"over lines": `{
  "toolMode": "fast",
  "toolboxes": {
    "dev": {
      "description": "tools",
      "mcpServers": {
        "a": {
          "command": "npx",
          "args": ["-y", "some-server", "C:\\data"],
          "env": {"LEVEL": "high", "MODE": "x"}
        },
        "b": {
          "command": "uvx",
          "args": [
            "one",
            "two"
          ]
        }
      }
    },
    "far": {"mcpServers": {"c": {"url": "https://example.com/mcp"}}},
    "end": {"description": 5, "mcpServers": {"d": {"command": 7}}}
  }
}
`,
		"on one line": `{"toolMode": "fast", "toolboxes": {"dev": {"mcpServers": {"a": {"command": "npx", "args": ["-y", "x"], "env": {"A": "b"}}, "b": {"command": "uvx"}}}, "end": {"description": 5, "mcpServers": {"d": {"command": 7}}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			from := strings.Index(text, `"toolboxes"`)
			to := strings.Index(text, `"end"`)
			tried, found := 0, 0
			sees := readSees(t, name)
			try := func(i int, with string) {
				source := []byte(text[:i] + with + text[i+1:])
				document := Parse("config", source)
				if document.Valid() {
					t.Errorf("%q in place of %q at %d is not an error", with, text[i], i)
				}
				missing, vscode := "", sees[tried]-'0'
				tried++
				for k, want := range []string{`not "fast"`, `"description" must be text in double quotes`,
					`"command" must be text in double quotes`} {
					if !says(document, want) {
						missing += " " + want
						// our parser takes everything up to the next quote for a name
						if vscode&(1<<k) != 0 && !strings.Contains(string(source), `"env:: {`) {
							t.Errorf("%q in place of %q at %d hides %s, which VS Code's parser sees", with, text[i], i, want)
						}
					}
				}
				if missing == "" {
					found++
				} else if testing.Verbose() {
					t.Logf("%q in place of %q: %s\n  hides%s; says %v", with, text[i], around(source, i), missing, messages(document))
				}
			}
			for i := from; i < to; i++ {
				if !strings.ContainsRune(`{}[],:"`, rune(text[i])) {
					continue
				}
				try(i, "")
				for _, other := range `{}[],:` {
					if byte(other) != text[i] {
						try(i, string(other))
					}
				}
				if text[i] != '"' {
					try(i, string([]byte{text[i], text[i]}))
				}
			}
			t.Logf("%d of %d mutations hide nothing", found, tried)
			if found*100 < tried*bar[name] {
				t.Errorf("only %d of %d mutations hide nothing", found, tried)
			}
		})
	}
}

// bar is the percentage of the mutations that must not hide any problem.
var bar = map[string]int{"over lines": 93, "on one line": 87}

// readSees returns a digit for each mutation of a text, in the order in which they are tried. The digit is 1
// if the parser of VS Code (jsonc-parser 3.3.1, parseTree) finds "toolMode" with its value, plus 2 for the
// wrong "description", plus 4 for the wrong "command".
func readSees(t *testing.T, name string) string {
	t.Helper()
	digits, err := os.ReadFile("testdata/recover/" + strings.ReplaceAll(name, " ", "-") + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(digits), "\n", "")
}

func says(document *Document, text string) bool {
	for _, d := range document.Diagnostics {
		if strings.Contains(d.Message.String(), text) {
			return true
		}
	}
	return false
}

func messages(document *Document) (out []string) {
	for _, d := range document.Diagnostics {
		out = append(out, d.Message.String())
	}
	return out
}

// around returns the text around an offset, on one line.
func around(source []byte, at int) string {
	return string(bytes.ReplaceAll(source[max(0, at-30):min(len(source), at+30)], []byte("\n"), []byte("⏎")))
}
