package approval_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
)

// BenchmarkOpen measures what approval adds to the first opening of a toolbox with 50 servers: reading the
// file and checking each server.
func BenchmarkOpen(b *testing.B) {
	var entries []string
	for i := range 50 {
		entries = append(entries, fmt.Sprintf(
			`"s%d":{"command":"npx","args":["-y","server-%d@1.0.0"],"env":{"TOKEN":"${keyring:s%d}"}}`, i, i, i))
	}
	cfg := parse(b, strings.Join(entries, ","))
	path := filepath.Join(b.TempDir(), "approvals.json")
	if err := approval.New(approval.Options{Path: path}).Begin(b.Context(), file, cfg); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		engine := approval.New(approval.Options{Path: path})
		for _, server := range cfg.Toolboxes[0].Servers {
			if err := engine.Check(file, "dev", server); err != nil {
				b.Fatal(err)
			}
		}
	}
}
