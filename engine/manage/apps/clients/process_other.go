//go:build !linux && !windows

package clients

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// processes asks ps, which every Unix has in this form, for the processes of this user. Those of other users
// do not use this user's files.
func processes() ([]Process, error) {
	out, err := exec.Command("/bin/ps", "-xww", "-U", strconv.Itoa(os.Getuid()), "-o", "pid=,comm=").Output()
	if err != nil {
		return nil, err
	}
	var found []Process
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		number, name, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		if pid, err := strconv.Atoi(number); err == nil {
			found = append(found, Process{pid, strings.TrimSpace(name)})
		}
	}
	return found, nil
}
