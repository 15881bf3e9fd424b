package environ

import (
	"bytes"
	"strings"
)

// maxVariables is how many variables of a shell are read.
const maxVariables = 5000

// parse parses the output of a shell: any text, a line with the mark, the environment, a line with the mark,
// any text. ok reports whether both marks are there. The variables are separated by zero bytes, or by line
// ends if the system's env cannot write zero bytes; values with several lines are then cut.
func parse(output []byte, mark string) (variables []variable, ok bool) {
	line := []byte(mark)
	_, rest, ok := bytes.Cut(output, line)
	if !ok {
		return nil, false
	}
	inside, _, ok := bytes.Cut(rest, line)
	if !ok {
		return nil, false
	}
	inside = bytes.TrimPrefix(bytes.TrimPrefix(inside, []byte("\r")), []byte("\n"))
	separator := []byte{0}
	if bytes.IndexByte(inside, 0) < 0 {
		separator = []byte{'\n'}
	}
	seen := map[string]bool{}
	for entry := range bytes.SplitSeq(inside, separator) {
		name, value, ok := strings.Cut(string(entry), "=")
		if !ok || !validName(name) || seen[name] {
			continue
		}
		if len(variables) == maxVariables {
			break
		}
		seen[name] = true
		variables = append(variables, variable{name, value})
	}
	return variables, true
}

// validName reports whether a text is a valid name of a variable in shells. Functions that bash exports have
// other names.
func validName(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}
