// Package extension reads bundles of the MCPB format (.mcpb, earlier .dxt). A bundle is a zip file with a
// server's program and a manifest, which says how the program is started and what the user must fill in. The
// package makes a server entry from a bundle, and unpacks the bundle into the folder from which the entry
// starts it.
//
// A bundle can come from anywhere, so everything in it is treated as hostile until it has been checked: the
// zip file in archive.go, its paths in names.go, and the manifest in manifest.go. [Read] writes nothing.
// [Extension.Unpack] writes, and is called after the user has seen the command. Nothing here can check
// whether the program itself is harmless.
package extension

import (
	"path/filepath"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Error says what is wrong with a bundle and what to do.
type Error struct {
	Message words.Text // one sentence
	Hint    words.Text // another sentence; may be empty
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

// Named reports whether a file has the file name extension of a bundle.
func Named(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".mcpb", ".dxt":
		return true
	}
	return false
}
