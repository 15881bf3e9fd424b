package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
)

// TestLargeFileIsNotHeld reads, connects and disconnects with files of 64 MB, as Claude Code's with its history of
// conversations. The program needs no more than a quarter of that memory beyond what it needs anyway.
func TestLargeFileIsNotHeld(t *testing.T) {
	if built.WithRaceDetector() {
		t.Skip("the race detector needs several times the memory")
	}
	home := t.TempDir()
	config := filepath.Join(home, ".config", "workbench", "workbench-config.json")
	ours := `{"type":"stdio","command":"` + executable + `","args":["stdio","--client","claude-code","--config","` +
		config + `"]}`
	history := `[` + strings.Repeat(`{"display":"`+strings.Repeat("what \\\"somebody\\\" {typed} ", 40)+
		`","pastedContents":{}},`, 64_000) + `{}]`
	content := `{"mcpServers":{"workbench":` + ours +
		`,"gl":{"type":"stdio","command":"node","args":["gl.js"]}},"projects":{"` + home + `":{"history":` + history +
		`,"mcpServers":{"own":{"command":"own"}}}}}`
	for _, name := range []string{".claude.json", ".cursor/mcp.json"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, name), []byte(strings.Replace(content, `"workbench"`, `"earlier"`, 1)),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) (said string, most int64) {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Env = []string{"HOME=" + home, "PATH=" + filepath.Join(home, "bin")}
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, text)
		}
		return string(text), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	}
	_, usual := run("version")
	for _, step := range []struct{ says, args string }{
		{"claude-code      set up", "clients"},
		{"gl", "import claude-code --into dev --projects --yes --try=false"},
		{"claude mcp remove", "disconnect claude-code --yes"},
		{"is disconnected", "disconnect cursor --yes"},
		{"is in the file of Cursor", "connect cursor --yes"},
		{"is disconnected", "disconnect cursor --yes"},
	} {
		said, most := run(strings.Fields(step.args)...)
		if !strings.Contains(said, step.says) {
			t.Errorf("%s says:\n%s", step.args, said)
		}
		if most-usual > int64(len(content)/4) {
			t.Errorf("%s needs %d MB for a file of %d MB", step.args, (most-usual)>>20, len(content)>>20)
		}
	}
	want := strings.Replace(strings.Replace(content, `"workbench":`+ours+`,`, "", 1), `"workbench"`, `"earlier"`, 1)
	if now, err := os.ReadFile(filepath.Join(home, ".cursor", "mcp.json")); err != nil || string(now) != want {
		t.Errorf("Cursor's file is not what it was without our entry: %d bytes, want %d, %v", len(now), len(want), err)
	}
}
