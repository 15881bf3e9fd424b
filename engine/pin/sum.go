package pin

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Hash is the SHA-256 of a definition in canonical form, or of what a server runs.
type Hash [sha256.Size]byte

// Sum returns the hash of a definition. White space, the order of members and the spelling of strings do not
// matter. Every member counts: clients show models what they like of a definition.
func Sum(definition json.RawMessage) Hash {
	return sha256.Sum256(appendCanonical(make([]byte, 0, len(definition)), definition))
}

// format1Members are the members that counted in files of format 1.
var format1Members = [...]string{"annotations", "description", "inputSchema", "name", "outputSchema", "title"}

// sumFormat1 returns the hash of a tool's definition in files of format 1.
func sumFormat1(definition json.RawMessage) Hash {
	members := slices.DeleteFunc(jsonrpc.Split(definition), func(m jsonrpc.Member) bool {
		return !slices.Contains(format1Members[:], m.Name)
	})
	return sha256.Sum256(appendMembers(make([]byte, 0, len(definition)), members))
}

// appendCanonical appends a JSON value in canonical form. Numbers are not changed.
func appendCanonical(dst []byte, value json.RawMessage) []byte {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return dst
	}
	switch value[0] {
	case '{':
		return appendMembers(dst, jsonrpc.Split(value))
	case '[':
		elements := slices.Collect(jsonrpc.Batch(value))
		return jsonrpc.AppendArray(dst, elements, func(dst []byte, e json.RawMessage) []byte {
			return appendCanonical(dst, e)
		})
	case '"':
		if bytes.IndexByte(value, '\\') >= 0 {
			text, _ := jsonrpc.String(value)
			return jsonrpc.AppendString(dst, text)
		}
	}
	return append(dst, value...)
}

func appendMembers(dst []byte, members []jsonrpc.Member) []byte {
	slices.SortStableFunc(members, func(a, b jsonrpc.Member) int { return strings.Compare(a.Name, b.Name) })
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonrpc.AppendString(dst, m.Name), ':')
		dst = appendCanonical(dst, m.Value)
	}
	return append(dst, '}')
}

// KeyOf returns the key of a server: the hash of what it runs or reaches, as in the file. Its name and
// toolbox do not matter, so a renamed server keeps its pins.
func KeyOf(server *config.Server) Hash { return sha256.Sum256(server.AppendApproval(nil, false)) }
