// Package links reads the workbench: links that web pages have, and has the system open them with this program.
//
// A link may add servers, and a person reviews them before anything is started or saved. It may do nothing else. See
// docs/adr/090-links.md.
package links

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Scheme is what our links begin with, before the colon.
const Scheme = "workbench"

// MaxLength is how many bytes a link may have. Windows passes no more to a program.
const MaxLength = 32 << 10

// maxServers is how many servers one link may propose.
const maxServers = 10

// Is reports whether a text begins as our links do.
func Is(text string) bool {
	return len(text) > len(Scheme) && strings.EqualFold(text[:len(Scheme)+1], Scheme+":")
}

// Read returns the servers that a link proposes.
func Read(link string) (paste.Found, error) {
	switch {
	case !Is(link):
		return paste.Found{}, words.NewError("links.other")
	case len(link) > MaxLength:
		return paste.Found{}, words.NewError("links.long", "KiB", MaxLength>>10)
	case strings.ContainsFunc(link, func(r rune) bool { return r < '!' || r > '~' }):
		return paste.Found{}, words.NewError("links.characters")
	}
	found, err := paste.Parse(Scheme + link[len(Scheme):])
	if err != nil {
		return paste.Found{}, err
	}
	for _, entry := range found.Entries {
		if !entry.FromLink {
			return paste.Found{}, words.NewError("links.other")
		}
	}
	if len(found.Entries) > maxServers {
		return paste.Found{}, words.NewError("links.many", "Most", maxServers)
	}
	return found, nil
}
