package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestLockFile: the lock files contain versions and hashes but no registry, so that they work with any
// registry. Every dependency has exactly one version.
func TestLockFile(t *testing.T) {
	for _, folder := range []string{"npm", "conformance/npm"} {
		t.Run(folder, func(t *testing.T) { checkLockFile(t, folder) })
	}
}

func checkLockFile(t *testing.T, folder string) {
	var lock struct {
		Packages map[string]struct {
			Resolved     string            `json:"resolved"`
			Integrity    string            `json:"integrity"`
			Dependencies map[string]string `json:"dependencies"`
		} `json:"packages"`
	}
	raw, err := os.ReadFile(filepath.Join(filepath.FromSlash(folder), "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	decode(t, raw, &lock)
	if len(lock.Packages) < 50 {
		t.Fatalf("the lock file has %d packages", len(lock.Packages))
	}
	for name, locked := range lock.Packages {
		if locked.Resolved != "" {
			t.Errorf("%s: the lock file has the address %s; see .npmrc", name, locked.Resolved)
		}
		if name != "" && !strings.HasPrefix(locked.Integrity, "sha512-") {
			t.Errorf("%s: the integrity hash is %q", name, locked.Integrity)
		}
	}
	exact := regexp.MustCompile(`^(npm:[^:]+@)?[0-9]+\.[0-9]+\.[0-9]+(-alpha\.[0-9]+)?$`)
	for name, version := range lock.Packages[""].Dependencies {
		if !exact.MatchString(version) {
			t.Errorf("%s has the version %q, want an exact version", name, version)
		}
	}
}

// TestInstallTwice: the second installation does nothing.
func TestInstallTwice(t *testing.T) {
	needNPM(t)
	if runtime.GOOS == "windows" {
		t.Skip("the script needs bash")
	}
	stamp := npmPath("node_modules", ".package-lock.json") // npm writes it at the end of each installation
	before, err := os.Stat(stamp)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(npmPath("install")).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("install: %v\n%s", err, out)
	}
	if after, err := os.Stat(stamp); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the packages were installed again: %v", err)
	}
}
