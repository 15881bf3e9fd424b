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
