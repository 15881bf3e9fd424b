package paste

import (
	"io"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ReadFrom reads a text to search for servers. A text larger than [MaxSize] is an error.
func ReadFrom(from io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(from, MaxSize+1))
	if err != nil {
		return "", err
	}
	if len(text) > MaxSize {
		return "", words.NewError("paste.too_large")
	}
	return string(text), nil
}
