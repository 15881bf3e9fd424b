//go:build unix

package clients

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/process/anotheruser"
)

// TestWithoutRights connects clients whose files or folders this user may not access. Since root may access
// everything, root runs the test again as another user.
func TestWithoutRights(t *testing.T) {
	if os.Getuid() == 0 {
		asAnother(t)
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
			if !errors.Is(err, fs.ErrPermission) ||
				!strings.Contains(err.Error(), file+" was left alone: there is no permission") {
				t.Errorf("the error is %v", err)
			}
			if p.text(file) != twoServers {
				t.Errorf("the file is %q", p.text(file))
			}
			p.whole(file)
		})
	}
}

// asAnother runs the test in a process of a user who owns nothing but one folder.
func asAnother(t *testing.T) {
	anotheruser.MayEnter(t)
	cmd := exec.Command(os.Args[0], "-test.run", "^TestWithoutRights$", "-test.v")
	folder := anotheruser.Become(t, cmd)
	anotheruser.Own(t, folder)
	cmd.Env = []string{"TMPDIR=" + folder, "HOME=" + folder, "PATH=" + os.Getenv("PATH")}
	said, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(said), "--- PASS: TestWithoutRights/") != 4 {
		t.Errorf("%v\n%s", err, said)
	}
}
