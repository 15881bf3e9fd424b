package file

import (
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// versionTitle returns a text that says what made a version.
func versionTitle(version store.Version) string {
	label, says := version.Label, version.Text()
	if what, ok := says.Args["What"].(words.Text); ok { // the undone or redone edit; the prefix is added below
		says = what
	}
	for _, known := range []struct{ prefix, words string }{
		{"undo: ", lang.L("Undone")},
		{"redo: ", lang.L("Redone")},
		{"repair: ", lang.L("Repaired")},
	} {
		if rest, ok := strings.CutPrefix(label, known.prefix); ok {
			if says.Code != "" {
				rest = kit.Say(says)
			}
			return known.words + ": " + kit.Capital(rest)
		}
	}
	switch label {
	case textLabel:
		return lang.L("Text typed in the window")
	case "repair the file":
		return lang.L("Repaired")
	case "found in the file", "":
		return lang.L("Changed by another program")
	}
	return kit.Capital(kit.Say(says))
}

// authorOf returns a text that says who made a version, or "" if its title says that.
func authorOf(version store.Version) string {
	author := string(version.Author)
	switch version.Author {
	case store.AuthorWindow:
		author = lang.L("In this window")
	case store.AuthorCommandLine:
		author = lang.L("On the command line")
	case store.AuthorOther:
		author = lang.L("Changed by another program")
	}
	if author == versionTitle(version) {
		return ""
	}
	return author
}

// when returns a time as people say it, such as "Today, 14:30".
func when(then, now time.Time) string {
	then = then.In(now.Location())
	clock := kit.Clock(then)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch ago := now.Sub(then); {
	case ago > -time.Minute && ago < time.Minute: // a clock that was set back can make a version look newer than now
		return lang.L("Just now")
	case ago >= 0 && ago < time.Hour:
		minutes := int(ago / time.Minute)
		return lang.N("{{.Count}} minutes ago", minutes, map[string]any{"Count": minutes})
	case !then.Before(today) && then.Before(today.AddDate(0, 0, 1)):
		return lang.L("Today, {{.Time}}", map[string]any{"Time": clock})
	case !then.Before(today.AddDate(0, 0, -1)) && then.Before(today):
		return lang.L("Yesterday, {{.Time}}", map[string]any{"Time": clock})
	}
	return kit.Say(words.At(words.Date(then), words.Clock(then)))
}

// pathStep matches a step of a path such as dev.github["a.b"][0], with the name or number in one of its groups.
var pathStep = lazyregexp.New(`(?s)\["(.*?)(?:"\]|$)|\[(.*?)(?:\]|$)|([^.[]+)`)

// placeName returns a place in the file as people read it: "dev › github › env › TOKEN".
func placeName(path string) string {
	var parts []string
	for _, step := range pathStep.FindAllStringSubmatch(path, -1) {
		if part := step[1] + step[2] + step[3]; part != "" && part != "toolboxes" && part != "mcpServers" {
			parts = append(parts, part)
		}
	}
	return kit.Way(parts...)
}
