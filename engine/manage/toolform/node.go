package toolform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxNesting is how deeply JSON may be nested.
const maxNesting = 100

const errTooDeep = words.Code("toolform.nested_too_deeply")

// readNode reads one JSON value. If lenient is set, it repairs text that is not UTF-8 and allows several
// members with the same name, of which [jsonc.Node.LastMember] finds the one that counts.
func readNode(data []byte, lenient bool) (*jsonc.Node, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(lenient),
		jsontext.AllowInvalidUTF8(lenient))
	if err := decoder.SkipValue(); err != nil {
		return nil, err
	}
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, words.Code("toolform.after_its_end")
	}
	if jsonrpc.Depth(data) > maxNesting {
		return nil, errTooDeep
	}
	d := jsonc.Parse(bytes.ToValidUTF8(data, []byte("\ufffd")))
	if d.Broken() != nil { // it has more values than are read
		return nil, words.Code("toolform.too_big")
	}
	return d.Root, nil
}

// asJSON returns the value without white space.
func asJSON(n *jsonc.Node) json.RawMessage { return json.RawMessage(n.Compact()) }

// integer returns n as a small count; false if n is something else.
func integer(n *jsonc.Node) (int, bool) {
	if !n.Is(jsonc.Number) || len(n.Raw()) > 9 {
		return 0, false
	}
	count := 0
	if _, err := fmt.Sscanf(n.Raw(), "%d", &count); err != nil || fmt.Sprint(count) != n.Raw() || count < 0 {
		return 0, false
	}
	return count, true
}

// size returns the number of values in n, including itself.
func size(n *jsonc.Node) int {
	count := 1
	for _, kid := range n.Children {
		count += size(kid)
	}
	return count
}

// isNumberText reports whether a text is exactly a JSON number.
func isNumberText(text string) bool {
	n, err := readNode([]byte(text), false)
	return err == nil && n.Is(jsonc.Number) && n.Raw() == text
}
