// Package share writes a toolbox into a file that can be given to somebody else, and reads such files.
//
// A file has no secrets: each is replaced by {{id}}, and the file says what belongs there. The person who
// opens the file is asked for these values. A file can come from anybody, so [Read] only reads it. What it
// returns must be shown in full, as judged by package review, before it is added. The format is described in
// docs/toolbox-file.md.
package share

import (
	"net/url"
	"path/filepath"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

// Version is the version of the format. Files of other versions are refused.
const Version = 1

// Ending is the file name extension.
const Ending = ".toolbox.json"

// Named reports whether a path has the file name extension of a shared toolbox.
func Named(path string) bool {
	return strings.HasSuffix(strings.ToLower(path), Ending)
}

// Path returns the path of a file that a desktop has passed to the program, either as a path or as a file:
// URL. It is empty for a file on another computer.
func Path(given string) string {
	address, err := url.Parse(given)
	if err != nil || address.Scheme != "file" {
		return given
	}
	if address.Host != "" && address.Host != "localhost" {
		return ""
	}
	return filepath.FromSlash(address.Path)
}

// FileName suggests a file name for a toolbox.
func FileName(toolbox string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, strings.Trim(strings.TrimSpace(toolbox), "."))
	if name = strings.ToValidUTF8(name, ""); name == "" {
		name = "toolbox"
	}
	const most = 80 // characters
	if runes := []rune(name); len(runes) > most {
		name = string(runes[:most])
	}
	name = filepath.Base(name) + Ending
	if atomicfile.Misleads("windows", name) { // whoever gets the file may have Windows
		name = "toolbox-" + name
	}
	return name
}

// Input is a value that the file asks the person who opens it for.
type Input struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"` // a kind of package foreign: "text", "secret", "folder" or "file"
	Label   string `json:"label"`
	Hint    string `json:"hint,omitempty"`
	Default string `json:"default,omitempty"`
}

// placeholder returns the text that stands for the answer to a question.
func placeholder(id string) string { return "{{" + id + "}}" }
