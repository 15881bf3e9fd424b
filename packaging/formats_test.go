package packaging_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// standIn stands for what mounts an AppImage.
const standIn = "This mounts what comes after it.\n"

// packed packs stand-ins for the programs as the version 1.2.3 and returns the folder with the packages. They
// were made at the time "made", below the umask, and are packed in the time zone.
func packed(t *testing.T, made, umask, zone string) string {
	t.Helper()
	stage, out := t.TempDir(), t.TempDir()
	for _, name := range []string{"bin/workbench-desktop", "bin/workbench-engine", "workbench-desktop.cdx.json"} {
		path := filepath.Join(stage, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho "+name+" \"$@\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runtime := filepath.Join(stage, "runtime")
	if err := os.WriteFile(runtime, []byte(standIn), 0o600); err != nil {
		t.Fatal(err)
	}
	pack := exec.CommandContext(t.Context(), "bash", "-c",
		`umask "$0" && touch --date "$1" "$2"/bin/* && exec linux/pack "$2" "$3"`, umask, made, stage, out)
	pack.Env = append(os.Environ(), "WORKBENCH_VERSION=1.2.3", "SOURCE_DATE_EPOCH=1700000000", "GOARCH=", "TZ="+zone,
		"APPIMAGE_RUNTIME="+runtime)
	if said, err := pack.CombinedOutput(); err != nil {
		t.Fatalf("packaging/linux/pack: %v\n%s", err, said)
	}
	return out
}

// TestPacksTheSame packs the same twice, as two people would. Every byte is the same, so anybody can check a release.
func TestPacksTheSame(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the packages are made on Linux")
	}
	one, other := packed(t, "2020-01-01", "022", "UTC"), packed(t, "2024-02-02", "077", "Asia/Tokyo")
	files, err := filepath.Glob(filepath.Join(one, "*"))
	if err != nil || len(files) != 5 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, file := range files {
		first, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		second, err := os.ReadFile(filepath.Join(other, filepath.Base(file)))
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s is not the same when it is packed again: %v", filepath.Base(file), err)
		}
	}
	otherPackages(t, one)
	installOthers(t, one)
	appImage(t, only(t, filepath.Join(one, "Workbench-1.2.3-*.AppImage")))
}

// appImage checks what an AppImage has, and which of its programs it starts.
func appImage(t *testing.T, image string) {
	t.Helper()
	whole, err := os.ReadFile(image)
	if err != nil || !bytes.HasPrefix(whole, []byte(standIn+"hsqs")) {
		t.Fatalf("it does not begin with what mounts it, then a file system: %v", err)
	}
	files, folder := filepath.Join(t.TempDir(), "files"), filepath.Join(t.TempDir(), "a folder")
	if err := os.WriteFile(files, whole[len(standIn):], 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.CommandContext(t.Context(), "unsquashfs", "-q", "-n", "-d", folder, files).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, name := range []string{id + ".desktop", id + ".png", ".DirIcon", "usr/share/doc/workbench-desktop/licences.md"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
	for _, test := range []struct {
		want string
		args []string
	}{
		{"bin/workbench-desktop", nil}, {"bin/workbench-desktop", []string{"--hidden"}},
		{"bin/workbench-desktop", []string{"workbench:add?name=x"}}, {"bin/workbench-desktop", []string{"/home/ada/x y.json"}},
		{"bin/workbench-engine", []string{"stdio", "--config", "/home/ada/x.json"}},
		{"bin/workbench-engine", []string{"config", "add-toolbox", "dev"}},
	} {
		said, err := exec.CommandContext(t.Context(), filepath.Join(folder, "AppRun"), test.args...).CombinedOutput()
		want := strings.TrimSpace(test.want+" "+strings.Join(test.args, " ")) + "\n"
		if got := strings.TrimSuffix(string(said), "\n"); err != nil || strings.TrimSpace(got)+"\n" != want {
			t.Errorf("%q starts %q, %v", test.args, said, err)
		}
	}
}

// installOthers installs the .rpm and the package for Arch with rpm and pacman into an empty root each, twice as for an
// update, and removes them: both find their files as they are, say nothing about them, and leave nothing behind.
func installOthers(t *testing.T, out string) {
	t.Helper()
	rpm := only(t, filepath.Join(out, "workbench-desktop-1.2.3-1.*.rpm"))
	arch := only(t, filepath.Join(out, "workbench-desktop-1.2.3-1-*.pkg.tar.zst"))
	for name, commands := range map[string][]string{
		// Of a Debian, they know no package that these depend on. What they run before removal has its own test.
		"rpm": {"rpm --root $root --nodeps --install $package", "rpm --root $root --nodeps --noscripts --upgrade --force $package",
			"rpm --root $root --nodeps --verify workbench-desktop", "! rpm --root $root --nodeps --install $package",
			"rpm --root $root --nodeps --noscripts --erase workbench-desktop"},
		"pacman": {"pacman $where -Udd --noscriptlet $package", "pacman $where -Udd --noscriptlet $package", "pacman $where -Qkk workbench-desktop",
			"pacman $where -R --noscriptlet workbench-desktop"},
	} {
		root, file := t.TempDir(), map[string]string{"rpm": rpm, "pacman": arch}[name]
		script := "set -e\nroot=$1 package=$2 where=\"--root $1 --dbpath $1/var/lib/pacman --noconfirm\"\n" +
			"mkdir -p $root/var/lib/pacman\nthere() { test -x $root/usr/bin/workbench-engine; }\n" +
			strings.Join(commands[:len(commands)-1], "\nthere\n") + "\n" + commands[len(commands)-1] + "\n! there\n" +
			"find $root/usr -type f -o -type d -name 'workbench*' 2>/dev/null || :\n"
		run := exec.CommandContext(t.Context(), "sh", "-c", script, "sh", root, file)
		if os.Getuid() != 0 {
			run = exec.CommandContext(t.Context(), "unshare", append([]string{"--map-root-user"}, run.Args...)...)
		}
		run.Env = append(os.Environ(), "LC_ALL=C")
		said, err := run.CombinedOutput()
		if err != nil || bytes.Contains(said, []byte("warning: dir")) || bytes.Contains(said, []byte(root+"/usr")) {
			t.Errorf("%s (.ci/setup test installs it): %v\n%s", name, err, said)
		}
	}
}

// otherPackages checks what the .rpm and the package for Arch depend on.
func otherPackages(t *testing.T, out string) {
	t.Helper()
	rpm, err := os.ReadFile(only(t, filepath.Join(out, "workbench-desktop-1.2.3-1.*.rpm")))
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
	arch := only(t, filepath.Join(out, "workbench-desktop-1.2.3-1-*.pkg.tar.zst"))
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("zstd is missing, so the package for Arch was not read")
	}
	info, err := exec.CommandContext(t.Context(), "sh", "-c", `zstd -dc "$0" | tar -xO .PKGINFO`, arch).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"pkgver = 1.2.3-1\n", "packager = The Workbench Desktop authors <",
		"depend = libglvnd\n", "depend = wayland\n", "license = MIT\n"} {
		if !strings.Contains(string(info), want) {
			t.Errorf("the package for Arch does not have %q:\n%s", want, info)
		}
	}
}

// TestVersion checks where the version comes from: a tag counts, and a version that is none is refused.
func TestVersion(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "packaging"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"FyneApp.toml": "Version = \"0.4.0\"\n",
		"CHANGELOG.md":      "# Changes\n\n## [0.10.0] - unreleased\n\n- new\n\n## [0.4.0] - 2026-11-28\n\n- old\n",
		"packaging/version": read(t, "packaging", "version")} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) string {
		command := exec.CommandContext(t.Context(), name, args...)
		command.Dir = root
		command.Env = append(slices.DeleteFunc(os.Environ(), func(variable string) bool {
			return strings.HasPrefix(variable, "WORKBENCH_") || strings.HasPrefix(variable, "SOURCE_DATE_")
		}), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_COMMITTER_DATE=1700000000 +0900")
		said, err := command.CombinedOutput()
		if err != nil {
			return "fails: " + strings.TrimSpace(string(said))
		}
		return strings.TrimSpace(string(said))
	}
	same := func(want string, args ...string) {
		t.Helper()
		if got := run("bash", append([]string{"packaging/version"}, args...)...); got != want {
			t.Errorf("%q prints %q, want %q", args, got, want)
		}
	}
	same("0.4.0-dev")
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"},
		{"-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "one"}} {
		run("git", args...)
	}
	same("0.4.0-dev")
	same("1700000000", "--time")
	run("git", "tag", "v0.9.0")
	run("git", "tag", "v0.10.0-rc.1")
	same("0.10.0-rc.1")
	same("0.10.0", "--numbers")
	same(`fails: packaging/version: FyneApp.toml has another version than 0.10.0`, "--ready")
	same("- new", "--notes")
	run("git", "tag", "-d", "v0.10.0-rc.1")
	same(`fails: packaging/version: FyneApp.toml has another version than 0.9.0`, "--ready")
	run("git", "tag", "v0.4.0")
	run("git", "tag", "-d", "v0.9.0")
	same("", "--ready")
	run("git", "tag", "v1.0") // not three numbers
	if got := run("bash", "packaging/version"); !strings.Contains(got, `"1.0" is not a version`) {
		t.Errorf("the tag v1.0: %s", got)
	}
}
