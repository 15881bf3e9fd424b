package kit

import "strings"

// ShortPath replaces the home folder at the start of a path by ~, as in ~/file.
func ShortPath(path, home string) string {
	if home == "" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, home); ok && rest != "" && (rest[0] == '/' || rest[0] == '\\') {
		return "~" + rest
	}
	return path
}
