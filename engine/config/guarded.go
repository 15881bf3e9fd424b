package config

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/order"
)

// AppendGuarded appends what a server runs or reaches: its guarded fields that are set, as the file has them. Each text has its length before
// it, and each list the number of its texts, so that no two servers are written in the same way. The order of variables does not count. Without switches
// those fields, and those of the toolbox, are left out that only say how Workbench treats the server.
func (s *Server) AppendGuarded(dst []byte, switches bool) []byte {
	return appendFields(dst, GuardedFields(), s, func(f *Field) bool { return switches || f.Kind != KindSwitch && !f.OfToolbox() })
}

func appendFields(out []byte, fields []Field, server *Server, counts func(*Field) bool) []byte {
	for i := range fields {
		field := &fields[i]
		if !counts(field) {
			continue
		}
		value, set := field.Value(server)
		if !set {
			continue
		}
		out = appendText(out, field.Name)
		switch value := value.(type) {
		case string:
			out = appendText(out, value)
		case Transport:
			out = appendText(out, string(value))
		case []string:
			out = binary.AppendUvarint(out, uint64(len(value)))
			for _, text := range value {
				out = appendText(out, text)
			}
		case []Variable:
			out = binary.AppendUvarint(out, uint64(len(value)))
			for _, v := range byName(value) {
				out = appendText(appendText(out, v.Name), v.Value)
			}
		case *OAuth:
			members := appendFields(nil, field.Members, server, func(*Field) bool { return true })
			out = appendText(out, string(members))
		default:
			text, err := json.Marshal(value) // numbers and switches
			if err != nil {
				panic(err) // such a kind of field does not exist
			}
			out = appendText(out, string(text))
		}
	}
	return out
}

func appendText(out []byte, text string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

// byName returns variables by name. Their order in the file means nothing.
func byName(variables []Variable) []Variable {
	compare := func(a, b Variable) int { return cmp.Compare(a.Name, b.Name) }
	if slices.IsSortedFunc(variables, compare) {
		return variables
	}
	variables = slices.Clone(variables)
	order.By(variables, compare)
	return variables
}
