package config

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"slices"
)

// AppendApproval appends what a server runs or reaches: its fields that need approval and are set, in the form of the
// file. Each text is preceded by its length and each list by the number of its texts, so that different
// servers never give the same bytes. The order of variables does not matter. If switches is false, switches
// and fields of the toolbox are left out, since they only say how Workbench treats the server.
func (s *Server) AppendApproval(dst []byte, switches bool) []byte {
	return appendFields(dst, ApprovalFields(), s, func(f *Field) bool {
		return switches || f.Kind != KindSwitch && !f.OfToolbox()
	})
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
				panic(err) // no field has such a kind
			}
			out = appendText(out, string(text))
		}
	}
	return out
}

func appendText(out []byte, text string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

// byName returns variables sorted by name. Their order in the file has no meaning.
func byName(variables []Variable) []Variable {
	compare := func(a, b Variable) int { return cmp.Compare(a.Name, b.Name) }
	if slices.IsSortedFunc(variables, compare) {
		return variables
	}
	variables = slices.Clone(variables)
	slices.SortStableFunc(variables, compare)
	return variables
}
