package store

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/windows"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

func platformRoles() map[string]func() error { return nil }

// TestSharingViolation replaces a file while another program has it open for a moment.
func TestSharingViolation(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	name, err := windows.UTF16PtrFromString(p.file)
	if err != nil {
		t.Fatal(err)
	}
	handle, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING, 0,
		0)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		_, err := s.Edit(context.Background(), "added a", addToolbox("a"))
		ended <- err
	}()
	if err := windows.CloseHandle(handle); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	p.clean()
}

func TestReadOnlyFile(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	if err := os.Chmod(p.file, 0o444); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(p.file, 0o666)
	_, err := s.Edit(t.Context(), "added a", addToolbox("a"))
	if !errors.Is(err, atomicfile.ErrReadOnly) || !strings.Contains(err.Error(), "it is read-only") {
		t.Error(err)
	}
	check(t, "file", p.read(), small)
	p.clean()
}
