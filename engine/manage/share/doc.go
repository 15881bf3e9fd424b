// Package share writes a toolbox into a file that can be given to somebody else, and reads such files.
//
// A file has no secrets: in the place of each is {{id}}, and the file says what belongs there. Who opens the file is asked for it. A file
// comes from anybody, so [Read] only reads: what it returns has to be shown whole, as package review judges it, before it is added.
// The format is described in docs/toolbox-file.md.
package share

import (
	"net/url"
	"path/filepath"
	"strings"
)

// Version is the version of the format. Files of another one are refused.
const Version = 1

// Ending is what the names of files end with.
const Ending = ".toolbox.json"

// Named reports whether a path has the name of a shared toolbox.
func Named(path string) bool {
	return strings.HasSuffix(strings.ToLower(path), Ending)
}

// Path returns the path of a file as desktops give it to a program: as a path, or as a file address. It is empty for a file on another computer.
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

// FileName suggests the name of the file for a toolbox.
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
	return filepath.Base(name) + Ending
}

// Input is what the file leaves to who opens it.
type Input struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"` // one of paste's: "text", "secret", "folder" or "file"
	Label   string `json:"label"`
	Hint    string `json:"hint,omitempty"`
	Default string `json:"default,omitempty"`
}

// placeholder is what stands in the place of an answer.
func placeholder(id string) string { return "{{" + id + "}}" }
