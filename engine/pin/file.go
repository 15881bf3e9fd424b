package pin

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A file has one line of JSON about the server, and one line for each tool, with cells separated by tabs: the
// name, the approved hashes, the waiting hash, "off" or nothing, and the two definitions. JSON without white
// space has no tabs and no line breaks, so a file with a thousand tools can be split without parsing it.

// errUnreadable means that a file is not one of ours.
const errUnreadable = words.Code("pin.unreadable")

const cells = 6

// maxDepth is how deep a definition can be nested; package downstream offers no others.
const maxDepth = 100

// encode writes a record.
func (r *Record) encode() []byte {
	dst := jsonrpc.AppendString([]byte(`{"format":1,"server":`), r.Server)
	dst = jsonrpc.AppendString(append(dst, `,"version":`...), r.Version)
	dst = jsonrpc.AppendString(append(dst, `,"next":`...), r.Next)
	dst = strconv.AppendInt(append(dst, `,"listed":`...), int64(r.Listed), 10)
	if r.Lost {
		dst = append(dst, `,"lost":true`...)
	}
	dst = append(dst, "}\n"...)
	for _, t := range r.Tools {
		dst = append(jsonrpc.AppendString(dst, t.Name), '\t')
		for i, hash := range t.Approved {
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = hex.AppendEncode(dst, hash[:])
		}
		var w Waiting
		dst = append(dst, '\t')
		if t.Waiting != nil {
			w = *t.Waiting
			dst = hex.AppendEncode(dst, w.Hash[:])
		}
		dst = append(dst, '\t')
		if w.Off {
			dst = append(dst, "off"...)
		}
		dst = append(append(dst, '\t'), t.Definition...)
		dst = append(append(dst, '\t'), w.Definition...)
		dst = append(dst, '\n')
	}
	return dst
}

// decode parses the output of encode. The definitions alias source. They are JSON unless another program has
// changed the file.
func decode(source []byte) (*Record, error) {
	head, rest, ok := bytes.Cut(source, []byte("\n"))
	if !ok || !json.Valid(head) || string(jsonrpc.Lookup(head, "format")) != "1" || len(rest) > 0 && rest[len(rest)-1] != '\n' {
		return nil, errUnreadable
	}
	r := &Record{}
	r.Server, _ = jsonrpc.String(jsonrpc.Lookup(head, "server"))
	r.Version, _ = jsonrpc.String(jsonrpc.Lookup(head, "version"))
	r.Next, _ = jsonrpc.String(jsonrpc.Lookup(head, "next"))
	r.Lost = string(jsonrpc.Lookup(head, "lost")) == "true"
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		t, ok := decodeTool(line)
		if !ok || len(r.Tools) >= maxTools {
			return nil, errUnreadable
		}
		r.Tools = append(r.Tools, t)
	}
	listed, _ := strconv.Atoi(string(jsonrpc.Lookup(head, "listed"))) // 0 in a file of an older version
	r.Listed = max(0, min(listed, len(r.Tools)))
	r.settle()
	return r, nil
}

func decodeTool(line []byte) (t Tool, ok bool) {
	var cell [cells][]byte
	for i := range cells - 1 {
		if cell[i], line, ok = bytes.Cut(line, []byte("\t")); !ok {
			return t, false
		}
	}
	cell[cells-1] = line
	if t.Name, ok = jsonrpc.String(json.RawMessage(cell[0])); !ok || t.Name == "" {
		return t, false
	}
	for one := range bytes.SplitSeq(cell[1], []byte(" ")) {
		hash, ok := readHash(one)
		if !ok || len(t.Approved) >= maxApproved {
			return t, false
		}
		t.Approved = append(t.Approved, hash)
	}
	t.Definition = orNil(cell[4])
	if len(cell[2]) > 0 {
		hash, ok := readHash(cell[2])
		if !ok {
			return t, false
		}
		t.Waiting = &Waiting{Hash: hash, Off: string(cell[3]) == "off", Definition: orNil(cell[5])}
	}
	t.correct()
	return t, true
}

// correct takes up the definition as it is corrected now, when it was approved before that was done. The hash of
// a text that was not kept stays.
func (t *Tool) correct() {
	mended, ok := corrected(t.Definition)
	if hash := Sum(t.Definition); ok && len(t.Approved) > 0 && t.Approved[len(t.Approved)-1] == hash {
		t.Definition = mended
		t.Approved = append(t.Approved, Sum(mended))
		t.Approved = t.Approved[max(0, len(t.Approved)-maxApproved):]
	}
	if w := t.Waiting; w != nil {
		if mended, ok := corrected(w.Definition); ok {
			w.Definition, w.Hash = mended, Sum(mended)
		}
	}
}

// corrected returns what package definition makes of a definition. It is not ok if that is the same.
func corrected(raw json.RawMessage) (json.RawMessage, bool) {
	if _, err := jsonrpc.Members(raw); err != nil || jsonrpc.Depth(raw) > maxDepth {
		return nil, false
	}
	mended, err := definition.Mend(definition.Tool, raw)
	return mended.Definition, err == nil && !bytes.Equal(mended.Definition, raw)
}

// orNil returns a cell with its capacity limited to its length; nil for an empty one.
func orNil(cell []byte) json.RawMessage {
	if len(cell) == 0 {
		return nil
	}
	return json.RawMessage(cell[:len(cell):len(cell)])
}

func readHash(text []byte) (h Hash, ok bool) {
	if len(text) != 2*len(h) {
		return h, false
	}
	_, err := hex.Decode(h[:], text)
	return h, err == nil
}
