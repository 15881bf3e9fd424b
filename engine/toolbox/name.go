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

	// DefaultNameBudget is how many bytes a dynamic tool name may have for a client that is not
	// known better: 64, the limit that clients share, less the longest prefix one puts in front
	// (contract.md, section 4).
	DefaultNameBudget = 44

	// hashDigits is how many hex digits of the SHA-256 tell apart names that had to be cut.
	hashDigits = 8

	minNameBudget = 2*len(separator) + 1 + hashDigits
)

// ToolID addresses one downstream tool by the names the user and the server gave.
type ToolID struct {
	Toolbox, Server, Tool string
}

// ServerID addresses one server of one toolbox.
type ServerID struct{ Toolbox, Server string }

// On returns the server that the tool is on.
func (id ToolID) On() ServerID { return ServerID{id.Toolbox, id.Server} }

// String returns the server as people and logs name it: toolbox/server.
func (id ServerID) String() string { return id.Toolbox + "/" + id.Server }

func (id ToolID) details() contract.Details {
	return contract.Details{Toolbox: id.Toolbox, Server: id.Server, Tool: id.Tool}
}

// Namer gives downstream tools the names under which dynamic mode registers them.
//
// A name depends on the configuration, on the server's own tools and on nothing else: not on
// order, and not on which toolboxes are open. It is never parsed; the engine looks it up.
type Namer struct {
	budget    int
	reserved  []string
	ambiguous map[[2]string]bool // toolbox and server whose names could be another server's as well
}

// NewNamer prepares names for all servers of cfg. A budget of 0 means [DefaultNameBudget].
// The reserved names, those of the meta-tools, are never given to a downstream tool.
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

// Names returns the name of each of one server's tools, in their order.
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
		// If two tools have the same name once cleaned, the one that needed no cleaning keeps it.
		collides := uses[plain[i]] > 1 && !(plain[i] == tool && exact[tool])
		if collides || len(name) > n.budget || n.ambiguous[[2]string{toolbox, server}] || slices.Contains(n.reserved, name) {
			name = n.withHash(name, ToolID{toolbox, server, tool})
		}
		names[i] = name
	}
	return names
}

func (n *Namer) withHash(name string, id ToolID) string {
	// NUL cannot be part of any of the three, so different triples never hash the same text.
	sum := sha256.Sum256([]byte(id.Toolbox + "\x00" + id.Server + "\x00" + id.Tool))
	lifetime := n.budget - 1 - hashDigits
	if len(name) > lifetime {
		name = name[:lifetime]
	}
	return name + "_" + hex.EncodeToString(sum[:])[:hashDigits]
}

// sanitize replaces each character that not every client accepts in a tool name by "_".
func sanitize(part string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, part)
}

// ambiguousServers finds the servers whose tool names could be read as another server's: because
// two pairs look the same once cleaned ("my box" and "my_box"), or because a name contains the
// separator ("a" with "b__c", "a__b" with "c").
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
	// Sorted, a prefix stands right before everything that begins with it.
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
