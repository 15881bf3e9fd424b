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
)

// Error says what is wrong with a bundle, and what to do.
type Error struct {
	Message string // one sentence
	Hint    string // another one; it may be empty
}

func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " " + e.Hint
}

// Hints that several errors share.
const (
	getAgain    = "Download it again; if that does not help, tell whoever made it."
	tellMaker   = "Tell whoever made it, or look for another edition of it."
	notTrusted  = "No tool for extensions makes such a file, so it was not opened. Do not use it unless you know why it is so."
	readsFormat = "0.1 to 0.4"
)

// Named tells by the name of a file whether it is meant to be an extension.
func Named(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".mcpb", ".dxt":
		return true
	}
	return false
}
