//go:build linux

package faults

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// fillDisk and the other constants are shell commands that change the disk of the user's home. $FILE is the
// configuration, which is on that disk.
const (
	fillDisk   = `cat /dev/zero >"$HOME/fill" 2>/dev/null;`
	lockDisk   = `mount -o remount,ro none "$HOME";`
	unfillDisk = `rm "$HOME/fill";`
	unlockDisk = `mount -o remount,rw none "$HOME";`
)

// inHome returns a command that a shell script starts in a home of its own: a tmpfs of 1 MiB, with the configuration
// at $FILE. $PROGRAM is the program. The mount is visible only to the script, in a namespace.
func inHome(t *testing.T, config, script string) *exec.Cmd {
	t.Helper()
	if out, err := exec.Command("unshare", "-rm", "true").CombinedOutput(); err != nil {
		t.Skipf("on this system, only root can mount a disk: %v: %s", err, out)
	}
	home := t.TempDir()
	cmd := exec.Command("unshare", "-rm", "sh", "-c",
		`mount -t tmpfs -o size=1m none "$HOME" && mkdir -p "$HOME/.config/workbench" "$HOME/tmp" && FILE="$HOME/.config/workbench/workbench-config.json" &&
		cp "$SOURCE" "$FILE" && `+script)
	cmd.Env = append(surroundings(home), "SOURCE="+config, "PROGRAM="+program(), "TMPDIR="+home+"/tmp")
	return cmd
}

// TestDisk runs an engine and commands on a disk that is full, and on a disk that cannot be written. The engine keeps
// working. A command reports why it failed, leaves the file unchanged, and works when there is room again.
func TestDisk(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, do, undo, says string }{
		{"full", fillDisk, unfillDisk, "the disk is full"},
		{"read-only", lockDisk, unlockDisk, "its disk can only be read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file, run := servers{"plain": fake(fakeserver.Script{}),
				"noisy": fake(fakeserver.Script{StderrFlood: 200 << 10})}.save(t)
			c := connect(t, inHome(t, file, tt.do+` exec "$PROGRAM" stdio --link=off`))
			c.open(t)
			for i := range 200 {
				if a := c.ask(t, "tools/call",
					useTool([]string{"plain", "noisy"}[i%2], "echo", map[string]any{"n": i})); a.isError() {
					t.Fatalf("call %d: %s%s", i, a.Error, a.Result)
				}
			}
			c.close(t)
			c.once(t)
			if err := c.leave(t); err != nil {
				t.Errorf("the engine ended with %v\n%s", err, c.said.String())
			}
			if left := run.processes(); len(left) > 0 {
				t.Errorf("these processes still run: %s", describe(left))
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
					t.Errorf("the output of the commands does not have %q:\n%s", want, strings.ReplaceAll(said, os.Args[0], "…"))
				}
			}
		})
	}
}

// TestToolboxFileOnADisk shares a toolbox, and adds a toolbox from a file, on a disk that is full and on a disk that
// cannot be written. Both commands report why they failed, leave nothing half-done, and work when there is room again.
func TestToolboxFileOnADisk(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, do, undo, shares, adds string }{
		{"full", fillDisk, unfillDisk, "new.toolbox.json cannot be written: the disk is full",
			"was not saved: the disk is full"},
		{"read-only", lockDisk, unlockDisk, "read-only file system", "its disk can only be read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			file, _ := servers{"plain": fake(fakeserver.Script{})}.save(t)
			cmd := inHome(t, file, `"$PROGRAM" config share dev --to "$HOME/old.toolbox.json" && cp "$HOME/old.toolbox.json" "$HOME/tmp/old"; `+tt.do+`
				"$PROGRAM" config share dev --to "$HOME/new.toolbox.json"; echo "shared: $?"
				"$PROGRAM" config add-toolbox other --from "$HOME/old.toolbox.json" --yes; echo "added: $?"
				cmp "$SOURCE" "$FILE" && cmp "$HOME/old.toolbox.json" "$HOME/tmp/old" && echo "as they were"; ls -A "$HOME" "$HOME/.config/workbench"; `+tt.undo+`
				"$PROGRAM" config share dev --to "$HOME/new.toolbox.json" && cmp "$HOME/old.toolbox.json" "$HOME/new.toolbox.json" && echo "shared again"
				"$PROGRAM" config add-toolbox other --from "$HOME/old.toolbox.json" --yes && grep -q '"other"' "$FILE" && echo "added again"`)
			out, err := cmd.CombinedOutput()
			said := string(out)
			if err != nil {
				t.Errorf("the script: %v", err)
			}
			for _, want := range []string{"shared: 1\n", "added: 1\n", "as they were\n", "shared again", "added again"} {
				if !strings.Contains(said, want) {
					t.Errorf("the output of the commands does not have %q:\n%s", want, strings.ReplaceAll(said, os.Args[0], "…"))
				}
			}
			before, listed, _ := strings.Cut(said, "as they were\n")
			if !strings.Contains(before, tt.shares) || !strings.Contains(before, tt.adds) {
				t.Errorf("the output does not have %s and %s:\n%s", tt.shares, tt.adds, before)
			}
			if listed, _, _ = strings.Cut(listed, "Written"); strings.Contains(listed, "new.toolbox.json\n") ||
				strings.Contains(listed, ".tmp") {
				t.Errorf("files are left:\n%s", listed)
			}
		})
	}
}
