package toolbox

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
)

const (
	// separator stands between the three parts of a dynamic tool name.
	separator = "__"

	// DefaultNameBudget is the longest dynamic name of a tool, in bytes, for clients without a limit of their own in the
	// table of clients. It is the usual limit of 64, less the longest prefix that a client adds (contract.md, section
	// 4).
	DefaultNameBudget = 44

	// hashDigits is how many hex digits of a SHA-256 make a name unique.
	hashDigits = 8

	minNameBudget = 2*len(separator) + 1 + hashDigits
)

// ToolID identifies a tool by the names that the user and the server have given.
type ToolID struct {
	Toolbox, Server, Tool string
}

// ServerID identifies a server of a toolbox.
type ServerID struct{ Toolbox, Server string }

// On returns the server that has the tool.
func (id ToolID) On() ServerID { return ServerID{id.Toolbox, id.Server} }

// String returns toolbox/server.
func (id ServerID) String() string { return id.Toolbox + "/" + id.Server }

func (id ToolID) details() contract.Details {
	return contract.Details{Toolbox: id.Toolbox, Server: id.Server, Tool: id.Tool}
}

// Namer makes the dynamic names of tools and prompts.
//
// A name depends only on the configuration and on the server's own items, not on their order or on which toolboxes are
// open. Names are never parsed.
type Namer struct {
	budget    int
	reserved  []string
	ambiguous map[[2]string]bool // toolbox and server whose prefix another server may have, too
}

// NewNamer returns a namer for the servers of cfg. budget is the longest name in bytes; 0 means [DefaultNameBudget].
// Reserved names, those of the meta-tools, are never given to other tools.
func NewNamer(cfg *config.Config, budget int, reserved ...string) *Namer {
	if budget == 0 {
		budget = DefaultNameBudget
	}
	return &Namer{
		budget:    max(budget, minNameBudget),
		reserved:  reserved,
		ambiguous: ambiguousServers(cfg),
	}
}

// Names returns the names of a server's items, in the order of tools.
func (n *Namer) Names(toolbox, server string, tools []string) []string {
	plain := make([]string, len(tools))
	uses := make(map[string]int, len(tools))
	exact := make(map[string]bool, len(tools))
	for i, tool := range tools {
		plain[i] = sanitize(tool)
		uses[plain[i]]++
		if plain[i] == tool {
			exact[tool] = true
		}
	}
	prefix := sanitize(toolbox) + separator + sanitize(server) + separator
	names := make([]string, len(tools))
	for i, tool := range tools {
		name := prefix + plain[i]
		// If two tools have the same name once sanitized, the one that was not changed keeps it.
		collides := uses[plain[i]] > 1 && !(plain[i] == tool && exact[tool])
		if collides || len(name) > n.budget || n.ambiguous[[2]string{toolbox, server}] || slices.Contains(n.reserved, name) {
			name = n.withHash(name, ToolID{toolbox, server, tool})
		}
		names[i] = name
	}
	return names
}

func (n *Namer) withHash(name string, id ToolID) string {
	// None of the three contains NUL, so different IDs have different hashes.
	sum := sha256.Sum256([]byte(id.Toolbox + "\x00" + id.Server + "\x00" + id.Tool))
	lifetime := n.budget - 1 - hashDigits
	if len(name) > lifetime {
		name = name[:lifetime]
	}
	return name + "_" + hex.EncodeToString(sum[:])[:hashDigits]
}

// sanitize replaces each character that some client refuses in a tool name by "_".
func sanitize(part string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, part)
}

// ambiguousServers returns the servers whose tools may get the same name as another server's: two names may be the
// same once sanitized ("my box" and "my_box"), or a name may contain the separator ("a" with "b__c", and "a__b" with
// "c").
func ambiguousServers(cfg *config.Config) map[[2]string]bool {
	type entry struct {
		prefix string
		pair   [2]string
		exact  bool
	}
	var entries []entry
	for _, box := range cfg.Toolboxes {
		for _, server := range box.Servers {
			prefix := sanitize(box.Name) + separator + sanitize(server.Name) + separator
			exact := prefix == box.Name+separator+server.Name+separator
			entries = append(entries, entry{prefix, [2]string{box.Name, server.Name}, exact})
		}
	}
	// In sorted order, a prefix comes directly before everything that begins with it.
	slices.SortStableFunc(entries, func(a, b entry) int { return strings.Compare(a.prefix, b.prefix) })

	ambiguous := map[[2]string]bool{}
	var ancestors []string
	for start := 0; start < len(entries); {
		prefix := entries[start].prefix
		end := start
		exact := 0
		for end < len(entries) && entries[end].prefix == prefix {
			if entries[end].exact {
				exact++
			}
			end++
		}
		for len(ancestors) > 0 && !strings.HasPrefix(prefix, ancestors[len(ancestors)-1]) {
			ancestors = ancestors[:len(ancestors)-1]
		}
		for _, e := range entries[start:end] {
			alone := end-start == 1 || (e.exact && exact == 1)
			if !alone || len(ancestors) > 0 {
				ambiguous[e.pair] = true
			}
		}
		ancestors = append(ancestors, prefix)
		start = end
	}
	return ambiguous
}
