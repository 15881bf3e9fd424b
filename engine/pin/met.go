package pin

import (
	"encoding/hex"
	"encoding/json"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Met is what is known of how a server answers when it is started.
type Met struct {
	Answer Hash // of what it has said of itself and its tools; zero if not known
	Alike  bool // it had said the same the time before
	Modern bool // it speaks 2026-07-28
	Roots  bool // it has asked for the folders that an app works in
}

// Meeting returns the record after the server was started once more and has answered as met says. The receiver may be
// nil, and then is returned: nothing is kept of a server without tools.
func (r *Record) Meeting(met Met) *Record {
	if r == nil {
		return nil
	}
	met.Alike, met.Roots = met.Answer == r.Met.Answer, met.Roots || r.Met.Roots
	return r.with(met)
}

// AskingForRoots returns the record of a server that has asked for the folders that an app works in. The receiver may
// be nil.
func (r *Record) AskingForRoots() *Record {
	if r == nil {
		return nil
	}
	met := r.Met
	met.Roots = true
	return r.with(met)
}

func (r *Record) with(met Met) *Record {
	if met == r.Met {
		return r
	}
	next := *r
	next.Met = met
	return &next
}

// append appends the members that the first line of a file has of it.
func (m Met) append(dst []byte) []byte {
	if m.Answer == (Hash{}) {
		return dst
	}
	dst = append(hex.AppendEncode(append(dst, `,"met":"`...), m.Answer[:]), '"')
	if m.Alike {
		dst = append(dst, `,"alike":true`...)
	}
	if m.Modern {
		dst = append(dst, `,"modern":true`...)
	}
	if m.Roots {
		dst = append(dst, `,"roots":true`...)
	}
	return dst
}

// metIn reads what append has written.
func metIn(head json.RawMessage) (m Met) {
	text, _ := jsonrpc.String(jsonrpc.Lookup(head, "met"))
	answer, ok := readHash([]byte(text))
	if !ok {
		return Met{}
	}
	is := func(name string) bool { return string(jsonrpc.Lookup(head, name)) == "true" }
	return Met{answer, is("alike"), is("modern"), is("roots")}
}

// Shareable reports whether several apps may use one process of the server although nobody has said so: it speaks
// 2026-07-28, where a server keeps nothing of a session; or it has answered alike twice, and all of its tools declare
// that they change nothing, so that one app notices nothing of another. The receiver may be nil.
func (r *Record) Shareable() bool {
	if r == nil || r.Lost || r.Listed == 0 || r.Met.Answer == (Hash{}) {
		return false
	}
	return r.Met.Modern || r.Met.Alike && r.onlyReads()
}

// onlyReads reports whether all tools in the last list are read-only, as the server says.
func (r *Record) onlyReads() bool {
	tools := 0
	for _, t := range r.Tools[:r.Listed] {
		if t.Name == Instructions {
			continue
		}
		tools++
		hints := jsonrpc.Lookup(sound(t.Definition), "annotations")
		if t.Waiting != nil || string(jsonrpc.Lookup(hints, "readOnlyHint")) != "true" ||
			string(jsonrpc.Lookup(hints, "destructiveHint")) == "true" {
			return false
		}
	}
	return tools > 0
}
