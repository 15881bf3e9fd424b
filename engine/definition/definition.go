// Package definition corrects the definitions that servers list: of tools, prompts, resources and resource
// templates. One of them that the official SDKs refuse would cost a client the lists of all servers.
//
// [Mend] corrects what can be corrected without loss or with a small one, and says what was lost. Members
// that no SDK checks stay as they are. What each kind may have is in one table, shapes.go, and what a JSON
// Schema may have in another one, keywords.go.
package definition

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Mended is a definition that the official SDKs accept.
type Mended struct {
	// Definition is the definition itself. It is the one that was passed in if nothing had to be corrected.
	Definition json.RawMessage
	// Remarks say what was wrong and is lost now. What means the same as before has no remark, such as a
	// missing member in place of null.
	Remarks []words.Text
	// Refused says why AI services are known to refuse a request with this tool; 0 if they are not.
	Refused Refusal
}

// maxRemarks is how many remarks one definition gets.
const maxRemarks = 10

// Mend corrects a definition, which is a JSON object that was checked and is not nested too deep. The error
// says why it cannot be used at all.
func Mend(shape *Shape, definition json.RawMessage) (Mended, error) {
	m := mender{}
	raw := json.RawMessage(jsonrpc.WholeCharacters(definition))
	if overflows(raw) {
		return Mended{}, words.NewError("definition.number")
	}
	raw, ok := m.value("", (*entry)(shape), raw)
	if !ok {
		return Mended{}, words.NewError("definition.unusable", "Place", m.unusable)
	}
	mended := Mended{Definition: raw, Remarks: m.remarks}
	if shape == Tool {
		mended.Refused = refused(jsonrpc.Lookup(raw, "inputSchema"))
		mended.Remarks = append(mended.Remarks, mended.Refused.texts(jsonrpc.Lookup(raw, "inputSchema"))...)
	}
	return mended, nil
}

// mender corrects one definition.
type mender struct {
	remarks  []words.Text
	unusable string      // the place of the value that makes the definition unusable
	schema   *schemaRoot // the schema that is being corrected; nil outside of schemas

	// Of results only:
	asked json.RawMessage // the URI of the resource that was read; nil for other results
	cut   bool            // a list had more elements than it may have
}

// lost notes that a value was left out.
func (m *mender) lost(place string) { m.remark("definition.left_out", place) }

// changed notes that a value was read as something else.
func (m *mender) changed(place string) { m.remark("definition.corrected", place) }

func (m *mender) remark(code words.Code, place string) {
	if len(m.remarks) < maxRemarks {
		m.remarks = append(m.remarks, words.New(code, "Place", visible.Short(place, 100)))
	}
}

// within returns the place of a member or of an element.
func within(place, name string) string {
	if place == "" {
		return name
	}
	return place + "." + name
}

// value corrects a value. It is not ok if it cannot be used; the caller leaves it out or gives up.
func (m *mender) value(place string, e *entry, raw json.RawMessage) (json.RawMessage, bool) {
	switch e.is {
	case text:
		return m.text(place, e, raw)
	case flag:
		return m.flag(place, e, raw)
	case number, whole:
		return m.number(place, e, raw)
	case list:
		return m.list(place, e, raw)
	case object:
		return m.object(place, e, raw)
	case inputSchema, outputSchema:
		return m.rootSchema(place, e.is, raw)
	case anyValue:
		return asText(raw), true
	case binary:
		return m.binary(raw)
	case block:
		return m.block(raw), true
	case blocks:
		return m.blocks(raw), true
	case messages:
		return m.list(place, message, splitMessages(raw))
	case contents:
		return m.contents(raw), true
	case content:
		return m.content(raw)
	}
	return raw, true
}

func (m *mender) text(place string, e *entry, raw json.RawMessage) (json.RawMessage, bool) {
	if raw[0] == '"' && e.values == nil && e.matches == nil {
		return raw, true // it may be long
	}
	switch value, ok := jsonrpc.String(raw); {
	case ok && e.takes(value):
		return raw, true
	case !ok && e.matches == nil && e.values == nil && isNumber(raw):
		m.changed(place)
		return jsonrpc.AppendString(nil, string(raw)), true
	}
	return nil, false
}

// flag corrects a flag that is given as text. Hints about what a tool does are corrected to the careful value only:
// whether it is asked about before a call must not depend on a guess.
func (m *mender) flag(place string, e *entry, raw json.RawMessage) (json.RawMessage, bool) {
	if string(raw) == "true" || string(raw) == "false" {
		return raw, true
	}
	if value, ok := jsonrpc.String(raw); ok {
		if value = strings.ToLower(strings.TrimSpace(value)); (value == "true" || value == "false") && e.takes(value) {
			m.changed(place)
			return json.RawMessage(value), true
		}
	}
	return nil, false
}

func (m *mender) number(place string, e *entry, raw json.RawMessage) (json.RawMessage, bool) {
	given := raw
	if value, ok := jsonrpc.String(raw); ok {
		given = json.RawMessage(strings.TrimSpace(value))
	}
	if !isNumber(given) {
		return nil, false
	}
	value, err := strconv.ParseFloat(string(given), 64)
	if err != nil || e.most > 0 && (value < 0 || value > e.most) {
		return nil, false
	}
	if _, err := strconv.ParseInt(string(given), 10, 64); e.is == whole && err != nil {
		if value != float64(int64(value)) || value > 1<<53 {
			return nil, false
		}
		return strconv.AppendInt(nil, int64(value), 10), true // 5.0 and 5e0 are no whole numbers in Go
	}
	if raw[0] == '"' {
		m.changed(place)
	}
	return given, true
}

// list corrects a list. Elements that cannot be used are left out. One value in place of a list becomes a
// list of it.
func (m *mender) list(place string, e *entry, raw json.RawMessage) (json.RawMessage, bool) {
	if isEmptyObject(raw) { // PHP writes it so
		return json.RawMessage("[]"), true
	}
	if raw[0] != '[' {
		element, ok := m.value(place, e.of, raw)
		if !ok || e.of.is == object {
			return nil, false
		}
		m.changed(place)
		return append(append([]byte{'['}, element...), ']'), true
	}
	elements, _ := jsonrpc.Elements(raw)
	same := true
	kept := elements[:0:0]
	for i, element := range elements {
		if e.most > 0 && float64(len(kept)) == e.most {
			m.cut, same = true, false
			break
		}
		at := place + "[" + strconv.Itoa(i) + "]"
		mended, ok := m.value(at, e.of, element)
		if !ok {
			m.lost(at)
			same = false
			continue
		}
		same = same && sameBytes(mended, element)
		kept = append(kept, mended)
	}
	if same {
		return raw, true
	}
	return jsonrpc.AppendArray(nil, kept, jsonrpc.AppendValue), len(kept) > 0
}

// object corrects an object. Members that the table does not name stay.
func (m *mender) object(place string, e *entry, raw json.RawMessage) (json.RawMessage, bool) {
	if string(raw) == "[]" { // PHP writes it so
		raw = json.RawMessage("{}")
	}
	if raw[0] != '{' {
		if value, ok := jsonrpc.String(raw); ok && e.short != "" && value != "" {
			m.changed(place)
			return jsonrpc.AppendObject(nil, []jsonrpc.Member{{Name: e.short, Value: raw}}), true
		}
		m.unusable = place
		return nil, false
	}
	return m.objectOf(place, e, raw, jsonrpc.Split(raw))
}

// objectOf is object for an object that has been split.
func (m *mender) objectOf(place string, e *entry, raw json.RawMessage,
	members []jsonrpc.Member) (json.RawMessage, bool) {
	kept, same, ok := m.membersOf(place, e, members)
	if same {
		return raw, true
	}
	if !ok {
		return nil, false
	}
	return jsonrpc.AppendObject(nil, kept), true
}

// membersOf corrects the members of an object. It reports whether they stay the same, and whether they are usable.
func (m *mender) membersOf(place string, e *entry, members []jsonrpc.Member) (kept []jsonrpc.Member, same, ok bool) {
	kept = make([]jsonrpc.Member, 0, len(members))
	same = true
	for i, member := range members {
		at := within(place, member.Name)
		f := e.member(member.Name)
		switch {
		case slices.ContainsFunc(members[i+1:], func(later jsonrpc.Member) bool { return later.Name == member.Name }):
			same = false // programs take the last of several
			continue
		case f == nil && e.resembles(member.Name):
			m.lost(at) // programs in Go take it for the member that it resembles
			same = false
			continue
		case f == nil:
			kept = append(kept, member)
			continue
		}
		if string(member.Value) == "null" && f.entry.is != inputSchema {
			same = false
			continue
		}
		value, ok := m.value(at, f.entry, member.Value)
		switch {
		case !ok && f.entry.is == inputSchema:
			return nil, false, false // the model could not call the tool
		case !ok:
			if !f.required {
				m.lost(at)
			}
			same = false
			continue
		}
		same = same && sameBytes(value, member.Value)
		kept = append(kept, jsonrpc.Member{Name: member.Name, Value: value})
	}
	for i := range e.members {
		f := &e.members[i]
		if !f.required || slices.ContainsFunc(kept, func(m jsonrpc.Member) bool { return m.Name == f.name }) {
			continue
		}
		var value json.RawMessage
		if f.otherwise != nil {
			value = f.otherwise(kept)
		}
		if value == nil {
			m.unusable = within(place, f.name)
			return nil, false, false
		}
		kept, same = append(kept, jsonrpc.Member{Name: f.name, Value: value}), false
	}
	return kept, same, true
}

// sameBytes reports whether a value was not changed. A value that was changed has other memory.
func sameBytes(a, b json.RawMessage) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func isNumber(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') && json.Valid(raw)
}

func isEmptyObject(raw json.RawMessage) bool {
	return raw[0] == '{' && strings.TrimSpace(string(raw[1:len(raw)-1])) == ""
}
