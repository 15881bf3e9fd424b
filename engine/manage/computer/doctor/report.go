package doctor

import (
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Report returns the results as English text for an error report, without secrets and without the user's name
// in paths. The lines of about, which describe the program, come first.
func (d *Doctor) Report(about []string, checks []Check) string {
	var out strings.Builder
	for _, line := range about {
		fmt.Fprintln(&out, line)
	}
	fmt.Fprintf(&out, "%s, %s\n", runtime.GOOS, runtime.GOARCH)
	group := Group("")
	for _, check := range checks {
		if check.Group != group {
			group = check.Group
			fmt.Fprintf(&out, "\n%s\n", Heading(group))
		}
		fmt.Fprintf(&out, "  %-7s %s: %s\n", Word(check.State), check.Title, check.Describe(words.English()))
		if !check.Advice.IsZero() {
			fmt.Fprintf(&out, "  %-7s %s\n", "", check.Advice)
		}
	}
	return d.Anonymous(out.String())
}

// Heading returns the heading of a group.
func Heading(group Group) words.Text {
	switch group {
	case Programs:
		return words.New("doctor.group_programs")
	case Files:
		return words.New("doctor.group_files")
	}
	return words.New("doctor.group_system")
}

// Word returns one word for a state.
func Word(state State) words.Text {
	switch state {
	case OK:
		return words.New("doctor.state_ok")
	case Notice:
		return words.New("doctor.state_notice")
	case Wrong:
		return words.New("doctor.state_wrong")
	}
	return words.New("doctor.state_open")
}

// Anonymous removes private parts from a text: secrets, the home folder, and the user's name in paths.
func (d *Doctor) Anonymous(text string) string {
	text = secret.Mask(text)
	homes := []string{d.home}
	if real, err := filepath.EvalSymlinks(d.home); err == nil {
		homes = append(homes, real)
	}
	for _, home := range homes {
		// The home folder "/" is skipped, since replacing it would change every path.
		if len(filepath.Clean(home)) > 1 && filepath.IsAbs(home) {
			text = replacePath(text, filepath.Clean(home), "~")
		}
	}
	name := d.user
	if i := strings.LastIndexByte(name, '\\'); i >= 0 { // DOMAIN\name
		name = name[i+1:]
	}
	if name == "" {
		return text
	}
	part := regexp.MustCompile(`(?i)([/\\])` + regexp.QuoteMeta(name) + `\b`)
	return part.ReplaceAllString(text, "${1}USER")
}

// replacePath replaces a folder at the beginning of paths. It does not replace other folders whose names
// begin with the same letters.
func replacePath(text, folder, with string) string {
	pattern := regexp.QuoteMeta(folder)
	if runtime.GOOS == "windows" {
		pattern = `(?i)` + pattern
	}
	return regexp.MustCompile(pattern+`([^\w-]|$)`).ReplaceAllString(text, with+"${1}")
}
