package environ

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// merge returns a Windows environment with everything that the user has besides: what is set stays, and Path has
// the user's folders after its own. AI apps pass on a handful of variables, and without the rest cmd.exe finds
// no program, and a proxy is not used.
func merge(given, user []string) []string {
	merged := make([]string, 0, len(given)+len(user))
	path := ""
	for _, entry := range given {
		name, value, ok := strings.Cut(entry, "=")
		switch {
		case strings.EqualFold(name, "PATH"):
			path = value
		case ok && strings.EqualFold(name, "PATHEXT") &&
			!process.RunsExe(value): // somebody's mistake, with which no program is found
		default:
			merged = append(merged, entry)
		}
	}
	set := map[string]bool{"PATH": true}
	for _, entry := range merged {
		name, _, _ := strings.Cut(entry, "=")
		set[strings.ToUpper(name)] = true
	}
	var more string
	for _, entry := range user {
		name, value, ok := strings.Cut(entry, "=")
		if upper := strings.ToUpper(name); upper == "PATH" {
			more = value
		} else if ok && name != "" && !set[upper] && !(upper == "PATHEXT" && !process.RunsExe(value)) {
			merged, set[upper] = append(merged, entry), true
		}
	}
	if !set["PATHEXT"] {
		merged = append(merged, "PATHEXT="+process.UsualExtensions)
	}
	if path = joinPath(expandPercent(path, merged), expandPercent(more, merged)); path != "" {
		merged = append(merged, "Path="+path)
	}
	return merged
}

// joinPath returns a Path with the folders of another one that it does not have.
func joinPath(path, more string) string {
	folders := strings.Split(path, ";")
	for _, folder := range strings.Split(more, ";") {
		same := func(other string) bool {
			return strings.EqualFold(strings.TrimRight(other, `\`), strings.TrimRight(folder, `\`))
		}
		if folder == "" || slices.ContainsFunc(folders, same) {
			continue
		}
		if path = strings.TrimRight(path, ";"); path != "" {
			path += ";"
		}
		path += folder
		folders = append(folders, folder)
	}
	return path
}

// maxExpansion is how long a Path may become.
const maxExpansion = maxPath

// expandPercent replaces %NAME% by the variables of an environment. Windows does that when a user logs in, and
// misses variables that are set later than the one that names them, as those of nvm-windows are.
func expandPercent(text string, env []string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "%")
		b.WriteString(before)
		if !ok || b.Len() > maxExpansion {
			return b.String()
		}
		name, after, ok := strings.Cut(rest, "%")
		value := ""
		if ok && name != "" && !strings.ContainsAny(name, `;\/`) {
			value = valueOf(env, name)
		}
		if value == "" {
			b.WriteByte('%')
			text = rest
			continue
		}
		b.WriteString(value)
		text = after
	}
}

// valueOf returns a variable, whose name Windows compares without case.
func valueOf(env []string, name string) string {
	for _, entry := range env {
		if key, value, ok := strings.Cut(entry, "="); ok && strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}
