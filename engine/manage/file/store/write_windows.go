package store

import (
	"errors"

	"golang.org/x/sys/windows"
)

func isReadOnlyDisk(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }
