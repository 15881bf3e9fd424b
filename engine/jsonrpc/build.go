package jsonrpc

import "encoding/json"

// With returns members with one member set: at its place if it exists, else at the end. The given slice is
// not changed.
func With(members []Member, name string, value json.RawMessage) []Member {
	set := make([]Member, 0, len(members)+1)
	found := false
	for _, m := range members {
		if m.Name == name {
			if found {
				continue
			}
			found = true
			m.Value = value
		}
		set = append(set, m)
	}
	if !found {
		set = append(set, Member{Name: name, Value: value})
	}
	return set
}

// AppendArray appends a JSON array. element appends one of its elements, as [AppendString] and [AppendValue]
// do.
func AppendArray[E any](dst []byte, elements []E, element func([]byte, E) []byte) []byte {
	dst = append(dst, '[')
	for i, e := range elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = element(dst, e)
	}
	return append(dst, ']')
}

// AppendValue appends a JSON value unchanged.
func AppendValue(dst []byte, value json.RawMessage) []byte { return append(dst, value...) }

// MapStrings returns a checked JSON value with change applied to each of its strings, including the names of
// members, at any depth. All else stays as it is.
func MapStrings(value json.RawMessage, change func(string) string) json.RawMessage {
	if len(value) == 0 {
		return value
	}
	mapped := make(json.RawMessage, 0, len(value))
	for i := 0; i < len(value); {
		if value[i] != '"' {
			mapped = append(mapped, value[i])
			i++
			continue
		}
		quoted := value[i:skipString(value, i)]
		i += len(quoted)
		if text, ok := String(quoted); ok {
			if changed := change(text); changed != text {
				quoted = AppendString(nil, changed)
			}
		}
		mapped = append(mapped, quoted...)
	}
	return mapped
}
