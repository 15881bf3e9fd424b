package paths

import (
	"errors"
	"io/fs"
)

// Cause drops operation and path from an error, for texts that name them.
func Cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
