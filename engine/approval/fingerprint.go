package approval

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// fingerprint returns a keyed hash of what an entry runs. Two entries have the same one when all their guarded fields are the same. Fields that
// are not set do not count, so that a new field of the table changes no fingerprint.
func (k key) fingerprint(server *config.Server) string {
	mac := hmac.New(sha256.New, k.derive("fingerprint"))
	mac.Write(appendFields(nil, config.GuardedFields(), server))
	return base64.RawStdEncoding.EncodeToString(mac.Sum(nil))
}

// appendFields writes the fields that are set. Each text has its length before it, and each list the number of its texts, so that no two
// entries are written in the same way.
func appendFields(out []byte, fields []config.Field, server *config.Server) []byte {
	for i := range fields {
		field := &fields[i]
		value, set := field.Value(server)
		if !set {
			continue
		}
		out = appendText(out, field.Name)
		switch value := value.(type) {
		case string:
			out = appendText(out, value)
		case config.Transport:
			out = appendText(out, string(value))
		case []string:
			out = binary.AppendUvarint(out, uint64(len(value)))
			for _, text := range value {
				out = appendText(out, text)
			}
		case []config.Variable:
			out = binary.AppendUvarint(out, uint64(len(value)))
			for _, v := range sorted(value) {
				out = appendText(appendText(out, v.Name), v.Value)
			}
		case *config.OAuth:
			members := appendFields(nil, field.Members, server)
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

// sorted returns variables by name. Their order in the file means nothing.
func sorted(variables []config.Variable) []config.Variable {
	byName := func(a, b config.Variable) int { return cmp.Compare(a.Name, b.Name) }
	if slices.IsSortedFunc(variables, byName) {
		return variables
	}
	variables = slices.Clone(variables)
	slices.SortStableFunc(variables, byName)
	return variables
}
