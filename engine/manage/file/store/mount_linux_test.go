package store

import "golang.org/x/sys/unix"

func mountSmall(folder string) error { return unix.Mount("tmpfs", folder, "tmpfs", 0, "size=64k") }
func unmount(folder string) error    { return unix.Unmount(folder, 0) }
