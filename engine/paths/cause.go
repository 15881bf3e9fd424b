package paths

import (
	"errors"
	"io/fs"
	"os"
	"runtime"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Cause removes operation and path from an error, for texts that name them.
func Cause(err error) error { return cause(runtime.GOOS, err) }

func cause(goos string, err error) error {
	if withheld(goos, err) {
		return words.NewError("paths.withheld").Because(err)
	}
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
