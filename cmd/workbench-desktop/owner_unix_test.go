//go:build unix

package main

import (
	"os"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func TestForeignHome(t *testing.T) {
	home := t.TempDir()
	if os.Getuid() == 0 {
		if err := foreignHome(0, home); err != nil {
			t.Errorf("the own home of root is refused: %v", err)
		}
		if err := os.Chown(home, 12345, -1); err != nil {
			t.Fatal(err)
		}
	}
	if err := foreignHome(0, home); !words.Is(err, "command.foreign_home") {
		t.Errorf("root may write into somebody else's home: %v", err)
	}
	if err := foreignHome(12345, home); err != nil {
		t.Errorf("another user is refused: %v", err)
	}
	if err := foreignHome(0, "/nowhere"); err != nil {
		t.Errorf("a home that is not there is refused: %v", err)
	}
}
