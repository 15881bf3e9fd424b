// Package changes shows people what another program has changed of what runs, and takes it back.
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

	"github.com/aymanbagabas/go-udiff"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/review"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Difference returns what an entry that waits would run, as a unified difference with all of its lines. One line is one value, whole, as JSON
// writes it, with characters that nobody sees escaped. What [review.Of] masks is masked, with a mark that is another one for another secret.
func Difference(w approval.Waiting) string {
	m := newMarker()
	after := m.lines(w.Server)
	before := ""
	if w.Old != nil {
		before = m.lines(w.Old)
	}
	unified, err := udiff.ToUnified("before", "after", before, udiff.Lines(before, after), 1000)
	if err != nil {
		panic(err) // the edits are those of these texts
	}
	return unified
}

// marker tells secrets apart without showing them.
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

// lines returns what an entry runs, one value in a line.
func (m marker) lines(server *config.Server) string {
	var b strings.Builder
	m.fields(&b, "", config.GuardedFields(), server)
	return b.String()
}

func (m marker) fields(b *strings.Builder, in string, fields []config.Field, server *config.Server) {
	line := func(name, value string) { b.WriteString(in + name + ": " + value + "\n") }
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
			line(field.Name, quote(m.text(value, secrets)))
		case []string:
			if field.Kind == config.KindNames {
				for i, name := range value {
					line(field.Name+"["+strconv.Itoa(i)+"]", quote(name))
				}
				if len(value) == 0 {
					line(field.Name, "[]")
				}
				continue
			}
			arguments, _ := secret.InCommand(server.Command, value)
			for i, text := range value {
				line(field.Name+"["+strconv.Itoa(i)+"]", quote(m.text(text, arguments[i].Secrets)))
			}
		case []config.Variable:
			for _, v := range value {
				line(field.Name+"."+plain(v.Name), quote(m.text(v.Value, review.Secrets(field.Name, v.Name, v.Value))))
			}
		case *config.OAuth:
			m.fields(b, field.Name+".", field.Members, server)
		default:
			text, err := json.Marshal(value)
			if err != nil {
				panic(err) // such a kind of field does not exist
			}
			line(field.Name, string(text))
		}
	}
}

// text masks the parts of a value that are secret.
func (m marker) text(value string, secrets []secret.Span) string {
	for _, span := range slices.Backward(secrets) {
		value = value[:span.Start] + m.mark(value[span.Start:span.End]) + value[span.End:]
	}
	return value
}

// quote writes a text as JSON does, in one line, and escapes what nobody sees.
func quote(text string) string { return plain(jsonc.Quote(text)) }

func plain(text string) string { return visible.Map(text, visible.Escape) }

// PutBack returns what takes a change back: an entry runs what was approved again, and keeps its description, filters and place. One that was
// added is removed.
func PutBack(w approval.Waiting) []edit.Op {
	if w.Old == nil {
		return []edit.Op{edit.RemoveServer{Toolbox: w.Toolbox, Name: w.Server.Name}}
	}
	target := edit.Target{Toolbox: w.Toolbox, Server: w.Server.Name}
	var old map[string]json.RawMessage
	if err := json.Unmarshal(paste.JSON(w.Old), &old); err != nil {
		panic(err) // it was just written
	}
	var ops []edit.Op
	fields := config.GuardedFields()
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
