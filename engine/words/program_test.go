package words

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// TestProgram: on Windows, texts name the program that prints at a terminal, if it is there.
func TestProgram(t *testing.T) {
	folder := t.TempDir()
	if got := typed("windows", folder); got != windowProgram {
		t.Errorf("built alone, it is %s", got)
	}
	if err := os.WriteFile(filepath.Join(folder, "workbench.exe"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := typed("linux", folder); got != windowProgram {
		t.Errorf("on Linux, it is %s", got)
	}
	printer := Through(newCatalogue(assets.Words, areaFile, asTyped(typed("windows", folder)), []string{"de"}).localize)
	for _, text := range []Text{New("command.no_file"), New("approval.changed"), New("help.connect.example"),
		New("command.no_window")} {
		if got := printer.Text(text); !strings.Contains(got, "workbench ") || strings.Contains(got, windowProgram) {
			t.Errorf("%s is %q", text.Code, got)
		}
	}
	if asTyped(windowProgram) != nil {
		t.Error("texts are changed where they are right")
	}
}
