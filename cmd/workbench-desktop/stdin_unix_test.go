//go:build unix

package main

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// A pipe is read without blocking a thread, and is afterwards as it was for whoever else has it.
func TestPolled(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	fd := int(read.Fd()) // makes it block, as it does for a child
	blocks := func() bool {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
		if err != nil {
			t.Fatal(err)
		}
		return flags&unix.O_NONBLOCK == 0
	}
	in, restore := polled(read)
	if blocks() {
		t.Error("a read blocks")
	}
	if _, err := write.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	if n, err := in.Read(make([]byte, 2)); n != 1 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	restore()
	if !blocks() {
		t.Error("it stays changed")
	}
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got, _ := polled(file); got != file {
		t.Error("a device is read in another way")
	}
}
