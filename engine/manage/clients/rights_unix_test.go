//go:build unix

package clients

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestWithoutRights connects clients whose files or folders this user may not touch. The superuser may touch everything, so it has the test run once
// more as a user who may not.
func TestWithoutRights(t *testing.T) {
	if os.Getuid() == 0 {
		asNobody(t)
		return
	}
	for _, test := range []struct {
		name         string
		file, folder fs.FileMode
	}{
		{"a file that may not be read", 0o000, 0o700},
		{"a file that may not be written", 0o400, 0o700},
		{"a folder that may not be written", 0o600, 0o500},
		{"a folder that may not be entered", 0o600, 0o000},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPlace(t)
			file := p.file("cursor")
			p.put(file, twoServers)
			if err := errors.Join(os.Chmod(file, test.file), os.Chmod(filepath.Dir(file), test.folder)); err != nil {
				t.Fatal(err)
			}
			_, err := p.connect("cursor")
			if err := errors.Join(os.Chmod(filepath.Dir(file), 0o700), os.Chmod(file, 0o600)); err != nil {
				t.Fatal(err)
			}
			if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), file+" was left alone: there is no permission") {
				t.Errorf("it says %v", err)
			}
			if p.text(file) != twoServers {
				t.Errorf("the file is %q", p.text(file))
			}
			p.whole(file)
		})
	}
}

// asNobody runs the test in a process of a user who owns nothing but a folder.
func asNobody(t *testing.T) {
	const nobody = 65534
	folder, err := os.MkdirTemp("", "workbench-rights-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	image, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "test")
	if err := errors.Join(os.WriteFile(program, image, 0o755), os.Chmod(folder, 0o755)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(folder, nobody, nobody); err != nil {
		t.Skip(err) // as in a container without such users
	}
	cmd := exec.Command(program, "-test.run", "^TestWithoutRights$", "-test.v")
	cmd.Dir, cmd.Env = folder, []string{"TMPDIR=" + folder, "HOME=" + folder, "PATH=" + os.Getenv("PATH")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	said, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(said), "--- PASS: TestWithoutRights/") != 4 {
		t.Errorf("%v\n%s", err, said)
	}
}
