// Package links reads workbench: links, which web pages have, and makes the system open them with this
// program.
//
// A link can only propose servers. A person reviews them before anything is started or saved. See
// docs/adr/090-links.md.
package links

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Scheme is the scheme of our links, without the colon.
const Scheme = "workbench"

// MaxLength is the longest link in bytes. Windows passes no more to a program.
const MaxLength = 32 << 10

// maxServers is the largest number of servers in one link.
const maxServers = 10

// Is reports whether a text begins with our scheme.
func Is(text string) bool {
	return len(text) > len(Scheme) && strings.EqualFold(text[:len(Scheme)+1], Scheme+":")
}

// Read returns the servers that a link proposes.
func Read(link string) (foreign.Found, error) {
	switch {
	case !Is(link):
		return foreign.Found{}, words.NewError("links.other")
	case len(link) > MaxLength:
		return foreign.Found{}, words.NewError("links.long", "KiB", MaxLength>>10)
	case strings.ContainsFunc(link, func(r rune) bool { return r < '!' || r > '~' }):
		return foreign.Found{}, words.NewError("links.characters")
	}
	found, err := foreign.Parse(Scheme + link[len(Scheme):])
	if err != nil {
		return foreign.Found{}, err
	}
	for _, entry := range found.Entries {
		if !entry.FromLink {
			return foreign.Found{}, words.NewError("links.other")
		}
	}
	if len(found.Entries) > maxServers {
		return foreign.Found{}, words.NewError("links.many", "Most", maxServers)
	}
	return found, nil
}
