package task

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestForgetCode checks that the pages of unchanged code are freed and can be read again. The pages of data, and of code that was changed in memory, stay.
func TestForgetCode(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	const size = 1 << 20
	load := func(access int) ([]byte, string) {
		memory, err := unix.Mmap(int(program.Fd()), 0, size, access, unix.MAP_PRIVATE|unix.MAP_POPULATE)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { unix.Munmap(memory) })
		return memory, fmt.Sprintf("%x-", unsafe.Pointer(&memory[0]))
	}
	code, codeAt := load(unix.PROT_READ | unix.PROT_EXEC)
	data, dataAt := load(unix.PROT_READ | unix.PROT_WRITE)
	data[0] = 'x'
	changed, changedAt := load(unix.PROT_READ | unix.PROT_WRITE)
	changed[0] = 'x'
	if err := unix.Mprotect(changed, unix.PROT_READ|unix.PROT_EXEC); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{codeAt, dataAt, changedAt} {
		if kb := resident(t, at); kb != size>>10 {
			t.Fatalf("%d KiB are resident at first, want %d", kb, size>>10)
		}
	}
	forgetCode()
	if kb := resident(t, codeAt); kb != 0 {
		t.Errorf("%d KiB of the code are still resident", kb)
	}
	if kb := resident(t, dataAt); kb != size>>10 || data[0] != 'x' {
		t.Errorf("%d KiB of the data are resident, and it begins with %q", kb, data[0])
	}
	if kb := resident(t, changedAt); kb != size>>10 || changed[0] != 'x' {
		t.Errorf("%d KiB of the changed code are resident, and it begins with %q", kb, changed[0])
	}
	if string(code[1:4]) != "ELF" {
		t.Errorf("the code begins with %q", code[:4])
	}
}

// resident returns how many KiB are resident of the memory that begins at an address.
func resident(t *testing.T, at string) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	_, found, _ := strings.Cut("\n"+string(text), "\n"+at)
	_, found, _ = strings.Cut(found, "\nRss:")
	kb := -1
	if _, err := fmt.Sscan(found, &kb); err != nil {
		t.Fatalf("%v: no mapping begins at %s", err, at)
	}
	return kb
}
