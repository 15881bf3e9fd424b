package paths

import (
	"errors"
	"io/fs"
	"os"
)

// Cause removes operation and path from an error, for texts that name them.
func Cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
