package packaging_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestOtherPackages packs stand-ins for the programs as .rpm and for Arch, and checks what these packages depend on.
func TestOtherPackages(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the packages are made on Linux")
	}
	stage, out := t.TempDir(), t.TempDir()
	for _, name := range []string{"bin/workbench-desktop", "bin/workbench-engine",
		"share/doc/workbench-desktop/copyright"} {
		path := filepath.Join(stage, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pack := func(kind, name string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", "tool", "-modfile=packaging/tools/go.mod", "nfpm", "package",
			"--config", "packaging/linux/nfpm.yaml", "--packager", kind, "--target", out+"/")
		cmd.Dir = ".."
		cmd.Env = append(os.Environ(), "STAGE="+stage, "VERSION=1.2.3", "ARCH=amd64")
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", kind, err, said)
		}
		return filepath.Join(out, name)
	}
	rpm, err := os.ReadFile(pack("rpm", "workbench-desktop-1.2.3-1.x86_64.rpm"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"libGL.so.1()(64bit)", "libX11.so.6()(64bit)", "libEGL.so.1()(64bit)",
		"libxkbcommon.so.0()(64bit)", "libXcursor.so.1()(64bit)", "glibc"} {
		if !strings.Contains(string(rpm), want+"\x00") { // the header is not compressed
			t.Errorf("the .rpm does not name %s", want)
		}
	}
	if strings.Contains(string(rpm), "libgl1\x00") {
		t.Error("the .rpm names packages of Debian")
	}
	arch := pack("archlinux", "workbench-desktop-1.2.3-1-x86_64.pkg.tar.zst")
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("zstd is missing, so the package for Arch was not read")
	}
	info, err := exec.CommandContext(t.Context(), "sh", "-c", `zstd -dc "$0" | tar -xO .PKGINFO`, arch).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"pkgver = 1.2.3-1\n", "depend = libglvnd\n", "depend = wayland\n", "license = MIT\n"} {
		if !strings.Contains(string(info), want) {
			t.Errorf("the package for Arch does not have %q:\n%s", want, info)
		}
	}
}
