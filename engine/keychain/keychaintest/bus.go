package keychaintest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// bus is the configuration of a session bus that starts the programs of a folder.
const bus = `<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><servicedir>%s</servicedir>
<policy context="default"><allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`

// Bus starts a session bus with nobody on it, and returns its address.
func Bus(t testing.TB) string {
	t.Helper()
	return BusOf(t, t.TempDir(), nil)
}

// BusOf starts a session bus that starts the services of a folder, with the environment env, or that of the test if it
// is nil. It returns the address of the bus.
func BusOf(t testing.TB, services string, env []string) string {
	t.Helper()
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("dbus-daemon is missing; run .ci/setup test")
		}
		t.Skip("dbus-daemon is missing; run .ci/setup test")
	}
	config := filepath.Join(t.TempDir(), "bus.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, bus, services), 0o600); err != nil {
		t.Fatal(err)
	}
	daemon := exec.Command("dbus-daemon", "--config-file="+config, "--nofork", "--nopidfile", "--print-address")
	daemon.Env = env
	out, err := daemon.StdoutPipe()
	if err == nil {
		err = daemon.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}
