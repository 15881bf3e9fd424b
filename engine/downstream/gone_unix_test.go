//go:build unix

package downstream

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// checkGone checks that no process listed in the file is left.
func checkGone(t *testing.T, file string) {
	t.Helper()
	for _, line := range lines(t, file) {
		pid, err := strconv.Atoi(line)
		if err != nil {
			continue
		}
		await(t, "process "+line+" to be gone", func() bool {
			if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
				return true
			}
			// In a container there may be no process that reaps orphans.
			stat, err := os.ReadFile("/proc/" + line + "/stat")
			return err == nil && strings.Contains(string(stat), ") Z ")
		})
	}
}
