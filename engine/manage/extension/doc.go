// Package extension reads bundles of the MCPB format (.mcpb, earlier .dxt): a zip file with a server's program and a manifest that says how it is
// started and what the user has to fill in. It makes an entry of one, and unpacks it to where the entry starts it from.
//
// A bundle comes from anywhere, so all of it is hostile until it was checked: see archive.go for the zip file, names.go for the paths in
// it, manifest.go for what it says. [Read] writes nothing; only [Extension.Unpack] does, once the user has seen the command. Whether the program
// itself means well nobody can check here.
package extension

import (
	"path/filepath"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Error says what is wrong with a bundle, and what to do.
type Error struct {
	Message words.Text // one sentence
	Hint    words.Text // another one; it may be empty
}

// Error returns both sentences in English.
func (e *Error) Error() string { return e.Text().String() }

// Text returns both sentences.
func (e *Error) Text() words.Text {
	if e.Hint.IsZero() {
		return e.Message
	}
	return words.New("extension.error", "Message", e.Message, "Hint", e.Hint)
}

// Hints that several errors share.
const (
	getAgain   = words.Code("extension.get_again")
	tellMaker  = words.Code("extension.tell_maker")
	notTrusted = words.Code("extension.not_trusted")
)

// Named tells by the name of a file whether it is meant to be an extension.
func Named(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".mcpb", ".dxt":
		return true
	}
	return false
}
