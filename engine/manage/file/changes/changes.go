// Package changes shows what another program has changed about the programs that run, and can undo such a
// change.
package changes

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/unified"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Difference returns what a waiting entry would run, as a unified diff that shows all lines. Each line has
// one whole value as JSON, with invisible characters escaped. What [review.Of] masks is masked. Different
// secrets get different marks, so that a changed secret can be seen.
func Difference(w approval.Waiting) string {
	m := newMarker()
	before, after := m.text(w.Old), m.text(w.Server)
	return unified.Around("before", "after", before, after, unified.Whole)
}

// marker marks secrets without showing them. Equal secrets get the same mark.
type marker []byte

func newMarker() marker {
	m := make(marker, 16)
	_, _ = rand.Read(m) // never fails
	return m
}

func (m marker) mark(text string) string {
	mac := hmac.New(sha256.New, m)
	mac.Write([]byte(text))
	return secret.Masked + " #" + hex.EncodeToString(mac.Sum(nil)[:2])
}

// line is one value of an entry, as it is shown.
type line struct{ name, value string }

func (l line) String() string { return l.name + ": " + l.value }

// lines returns what an entry runs, one value on each line. It returns none for nil.
func (m marker) lines(server *config.Server) []line {
	if server == nil {
		return nil
	}
	return m.fields(nil, "", config.ApprovalFields(), server)
}

// text joins the lines of an entry.
func (m marker) text(server *config.Server) string {
	var b strings.Builder
	for _, l := range m.lines(server) {
		b.WriteString(l.String() + "\n")
	}
	return b.String()
}

func (m marker) fields(lines []line, in string, fields []config.Field, server *config.Server) []line {
	add := func(name, value string) { lines = append(lines, line{in + name, value}) }
	for i := range fields {
		field := &fields[i]
		value, set := field.Value(server)
		if !set || field.Name == "transport" && server.Transport == config.TransportStdio {
			continue
		}
		switch value := value.(type) {
		case string:
			var secrets []secret.Span
			switch {
			case in != "":
				secrets = review.Secrets(strings.TrimSuffix(in, "."), field.Name, value)
			case field.Name != "command":
				secrets = review.Secrets(field.Name, "", value)
			}
			add(field.Name, quote(m.masked(value, secrets)))
		case []string:
			if field.Kind == config.KindNames {
				for i, name := range value {
					add(field.Name+"["+strconv.Itoa(i)+"]", quote(name))
				}
				if len(value) == 0 {
					add(field.Name, "[]")
				}
				continue
			}
			arguments, _ := secret.InCommand(server.Command, value)
			for i, text := range value {
				add(field.Name+"["+strconv.Itoa(i)+"]", quote(m.masked(text, arguments[i].Secrets)))
			}
		case []config.Variable:
			for _, v := range value {
				add(field.Name+"."+plain(v.Name), quote(m.masked(v.Value, review.Secrets(field.Name, v.Name, v.Value))))
			}
		case *config.OAuth:
			lines = m.fields(lines, field.Name+".", field.Members, server)
		default:
			text, err := json.Marshal(value)
			if err != nil {
				panic(err) // no field has such a kind
			}
			add(field.Name, string(text))
		}
	}
	return lines
}

// masked returns a value with its secret parts masked.
func (m marker) masked(value string, secrets []secret.Span) string {
	for _, span := range slices.Backward(secrets) {
		value = value[:span.Start] + m.mark(value[span.Start:span.End]) + value[span.End:]
	}
	return value
}

// quote writes a text as JSON on one line, with invisible characters escaped.
func quote(text string) string { return plain(jsonc.Quote(text)) }

func plain(text string) string { return visible.Map(text, visible.Escape) }

// PutBack returns the operations that undo a change: the entry runs again what was approved, and keeps its
// description, filters and place. An entry that was added is removed.
func PutBack(w approval.Waiting) []edit.Op {
	if w.Old == nil {
		return []edit.Op{edit.RemoveServer{Toolbox: w.Toolbox, Name: w.Server.Name}}
	}
	target := edit.Target{Toolbox: w.Toolbox, Server: w.Server.Name}
	var old map[string]json.RawMessage
	if err := json.Unmarshal(foreign.JSON(w.Old), &old); err != nil {
		panic(err) // it was just written
	}
	var ops []edit.Op
	fields := config.ApprovalFields()
	for i := range fields {
		field := &fields[i]
		target := target
		value, set := old[field.Name]
		if field.OfToolbox() {
			target.Server = ""
			var names any
			if names, set = field.Value(w.Old); set {
				value = jsonc.Value(names)
			}
		}
		switch {
		case field.Same(w.Old, w.Server):
		case field.Kind == config.KindTransport:
			ops = append(ops, edit.SetField{Target: target, Field: []string{field.Name}, Value: jsonc.Value(w.Old.Transport)})
		case set:
			ops = append(ops, edit.SetField{Target: target, Field: []string{field.Name}, Value: value})
		default:
			ops = append(ops, edit.ClearField{Target: target, Field: []string{field.Name}})
		}
	}
	return ops
}
