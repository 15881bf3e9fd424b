package pin

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A file has one line of JSON about the server, and one line for each tool, with cells separated by tabs: the
// name, the approved hashes, the waiting hash, "off" or nothing, and the two definitions. JSON without white
// space has no tabs and no line breaks, so a file with a thousand tools can be split without parsing it. A line
// that begins with the kind of another list has the key and the hash of one item.
//
// In format 1, hashes were of some members only, and the file had another name. It is read if there is no file
// of format 2, and stays for engines of older versions that still run. A hash of format 1 whose text is not
// known is marked with "1:".

// errUnreadable means that a file is not one of ours.
const errUnreadable = words.Code("pin.unreadable")

const cells = 6

// maxDepth is how deep a definition can be nested; package downstream offers no others.
const maxDepth = 100

// encode writes a record.
func (r *Record) encode() []byte {
	dst := jsonrpc.AppendString([]byte(`{"format":2,"server":`), r.Server)
	dst = jsonrpc.AppendString(append(dst, `,"version":`...), r.Version)
	dst = jsonrpc.AppendString(append(dst, `,"next":`...), r.Next)
	dst = strconv.AppendInt(append(dst, `,"listed":`...), int64(r.Listed), 10)
	if r.Lost {
		dst = append(dst, `,"lost":true`...)
	}
	if r.Lists != "" {
		dst = jsonrpc.AppendString(append(dst, `,"lists":`...), r.Lists)
	}
	dst = append(r.Met.append(dst), "}\n"...)
	for _, t := range r.Tools {
		dst = append(jsonrpc.AppendString(dst, t.Name), '\t')
		space := ""
		for _, hash := range t.Approved {
			dst = hex.AppendEncode(append(dst, space...), hash[:])
			space = " "
		}
		for _, hash := range t.Format1 {
			dst = hex.AppendEncode(append(append(dst, space...), markFormat1...), hash[:])
			space = " "
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
	for _, id := range slices.SortedFunc(maps.Keys(r.Words), compareWords) {
		hash := r.Words[id]
		dst = append(jsonrpc.AppendString(append(append(dst, id.Kind...), '\t'), id.Key), '\t')
		dst = append(hex.AppendEncode(dst, hash[:]), '\n')
	}
	return dst
}

func compareWords(a, b WordsID) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Key, b.Key))
}

// markFormat1 comes before a hash of format 1.
const markFormat1 = "1:"

// decode parses the output of encode. The definitions alias source. They are JSON unless another program has
// changed the file.
func decode(source []byte) (*Record, error) {
	head, rest, ok := bytes.Cut(source, []byte("\n"))
	format := string(jsonrpc.Lookup(head, "format"))
	if !ok || !json.Valid(head) || format != "1" && format != "2" || len(rest) > 0 && rest[len(rest)-1] != '\n' {
		return nil, errUnreadable
	}
	r := &Record{}
	r.Server, _ = jsonrpc.String(jsonrpc.Lookup(head, "server"))
	r.Version, _ = jsonrpc.String(jsonrpc.Lookup(head, "version"))
	r.Next, _ = jsonrpc.String(jsonrpc.Lookup(head, "next"))
	r.Lists, _ = jsonrpc.String(jsonrpc.Lookup(head, "lists"))
	r.Lost = string(jsonrpc.Lookup(head, "lost")) == "true"
	r.Met = metIn(head)
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if format == "2" && len(line) > 0 && line[0] != '"' {
			if !r.decodeWords(line) {
				return nil, errUnreadable
			}
			continue
		}
		t, ok := decodeTool(line)
		if !ok || len(r.Tools) >= maxTools {
			return nil, errUnreadable
		}
		if format == "1" {
			t.moveOn()
		}
		t.correct()
		r.Tools = append(r.Tools, t)
	}
	listed, _ := strconv.Atoi(string(jsonrpc.Lookup(head, "listed"))) // 0 in a file of an older version
	r.Listed = max(0, min(listed, len(r.Tools)))
	r.limit()
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
		list := &t.Approved
		if rest, isFormat1 := bytes.CutPrefix(one, []byte(markFormat1)); isFormat1 {
			one, list = rest, &t.Format1
		}
		hash, ok := readHash(one)
		if !ok || len(*list) >= maxApproved {
			return t, false
		}
		*list = append(*list, hash)
	}
	t.Definition = orNil(cell[4])
	if len(cell[2]) > 0 {
		hash, ok := readHash(cell[2])
		if !ok {
			return t, false
		}
		t.Waiting = &Waiting{Hash: hash, Off: string(cell[3]) == "off", Definition: orNil(cell[5])}
	}
	return t, true
}

// correct takes up the definition as it is corrected now, when it was approved before that was done. The hash of
// a text that was not kept stays.
func (t *Tool) correct() {
	if t.Name == Instructions {
		return // no tool
	}
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

// decodeWords reads a line with an item of another list.
func (r *Record) decodeWords(line []byte) bool {
	kind, rest, _ := bytes.Cut(line, []byte("\t"))
	quoted, code, ok := bytes.Cut(rest, []byte("\t"))
	name, isText := jsonrpc.String(json.RawMessage(quoted))
	hash, isHash := readHash(code)
	if !ok || !isText || !isHash || len(kind) > maxName || len(name) > 2*maxName || len(r.Words) >= maxWords {
		return false
	}
	if r.Words == nil {
		r.Words = map[WordsID]Hash{}
	}
	r.Words[WordsID{string(kind), name}] = hash
	return true
}

// moveOn takes a tool of format 1 over: nobody has to approve again what has not changed. A definition whose
// text is known gets the hash of all its members.
func (t *Tool) moveOn() {
	t.Format1, t.Approved = t.Approved, nil
	if last := t.Format1[len(t.Format1)-1]; last == (Hash{}) {
		t.Approved, t.Format1 = []Hash{last}, nil // nothing was approved
	} else if t.Definition != nil && sumFormat1(t.Definition) == last {
		t.Approved, t.Format1 = []Hash{Sum(t.Definition)}, nil
	}
	if w := t.Waiting; w != nil && w.Definition != nil {
		w.Hash = Sum(w.Definition)
	}
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
