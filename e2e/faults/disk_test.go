//go:build linux

package faults

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// What is done to the disk on which the user's home is. $FILE is the configuration, which lies there.
const (
	fillDisk   = `cat /dev/zero >"$HOME/fill" 2>/dev/null;`
	lockDisk   = `mount -o remount,ro none "$HOME";`
	unfillDisk = `rm "$HOME/fill";`
	unlockDisk = `mount -o remount,rw none "$HOME";`
)

// inHome is a command that a shell script starts in a home of its own: a tmpfs of 1 MiB, with the configuration at $FILE. $PROGRAM is the
// program. Namespaces of the system keep the mount to it.
func inHome(t *testing.T, config, script string) *exec.Cmd {
	t.Helper()
	if out, err := exec.Command("unshare", "-rm", "true").CombinedOutput(); err != nil {
		t.Skipf("this system lets nobody but root mount a disk of their own: %v: %s", err, out)
	}
	home := t.TempDir()
	cmd := exec.Command("unshare", "-rm", "sh", "-c", `mount -t tmpfs -o size=1m none "$HOME" && mkdir -p "$HOME/.config/workbench" "$HOME/tmp" && FILE="$HOME/.config/workbench/workbench-config.json" &&
		cp "$SOURCE" "$FILE" && `+script)
	cmd.Env = append(surroundings(home), "SOURCE="+config, "PROGRAM="+program(), "TMPDIR="+home+"/tmp")
	return cmd
}

// TestDisk has an engine and commands on a disk that is full, and on one that cannot be written. The engine does all that it does;
// a command says why it could not, leaves the file as it was, and works when there is room again.
func TestDisk(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, do, undo, says string }{
		{"full", fillDisk, unfillDisk, "the disk is full"},
		{"read-only", lockDisk, unlockDisk, "its disk can only be read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file, run := servers{"plain": fake(fakeserver.Script{}), "noisy": fake(fakeserver.Script{StderrFlood: 200 << 10})}.save(t)
			c := connect(t, inHome(t, file, tt.do+` exec "$PROGRAM" stdio --link=off`))
			c.open(t)
			for i := range 200 {
				if a := c.ask(t, "tools/call", useTool([]string{"plain", "noisy"}[i%2], "echo", map[string]any{"n": i})); a.isError() {
					t.Fatalf("call %d: %s%s", i, a.Error, a.Result)
				}
			}
			c.close(t)
			c.once(t)
			if err := c.leave(t); err != nil {
				t.Errorf("the engine ended with %v\n%s", err, c.said.String())
			}
			if left := run.processes(); len(left) > 0 {
				t.Errorf("left behind: %s", describe(left))
			}

			script := tt.do + ` "$PROGRAM" config set dev description X; echo "status $?";
				cmp "$SOURCE" "$FILE" && echo "as it was"; ls "$HOME/.config/workbench"; ` + tt.undo + `
				"$PROGRAM" config set dev description X && grep -q '"X"' "$FILE" && echo "works again"`
			cmd := inHome(t, file, script)
			out, err := cmd.CombinedOutput()
			said := string(out)
			if err != nil {
				t.Errorf("the script: %v", err)
			}
			for _, want := range []string{tt.says, "status 1", "as it was\nworkbench-config.json\n", "works again"} {
				if !strings.Contains(said, want) {
					t.Errorf("the commands do not say %q:\n%s", want, strings.ReplaceAll(said, os.Args[0], "…"))
				}
			}
		})
	}
}
