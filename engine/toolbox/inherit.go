package toolbox

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Limits on the names of withheld variables that are shown.
const (
	maxWithheld      = 100 // in a log
	maxWithheldShown = 8   // in the problem of a server
)

// inherited returns the environment that a server inherits, and the names of the variables that are withheld from it.
// For a remote server, it is the one with the user's proxies and certificates. entry is expanded.
func inherited(ctx context.Context, options *Options, entry *config.Server) (env, withheld []string) {
	env = options.Environ
	if options.EnvironFor != nil {
		env = options.EnvironFor(ctx, entry.Command)
	} else if env == nil {
		env = os.Environ()
	}
	if entry.InheritEnv || entry.URL != "" {
		return env, nil
	}
	env, withheld = environ.Inherit(env)
	return env, slices.DeleteFunc(withheld, func(name string) bool {
		return slices.ContainsFunc(entry.Env, func(v config.Variable) bool {
			return v.Name == name || runtime.GOOS == "windows" && strings.EqualFold(v.Name, name)
		})
	})
}

// sayWithheld logs the variables that were withheld from a server that could not be connected, since it may need one
// of them. The server's problem, which the model reads too, names only those that the server itself has named. If
// there are none and the server has exited, it names the keys and tokens. hints are for the model.
func sayWithheld(l *link, problem *status.Problem) (hints []words.Text) {
	switch problem.Kind {
	case status.KindExited, status.KindKey, status.KindTimeout, status.KindProtocol:
	default:
		return nil
	}
	if len(l.attempt.unset) == 0 {
		return nil
	}
	shown := l.attempt.unset[:min(len(l.attempt.unset), maxWithheld)]
	l.journal.say(words.New("toolbox.withheld", "Names", shown, "More", len(l.attempt.unset)-len(shown)))
	l.log.Warn("The server did not get these variables of the engine", "withheld", shown)

	mentioned := mentionedIn(l.journal.snapshot(), l.attempt.unset)
	if len(mentioned) > 0 {
		shown = mentioned[:min(len(mentioned), maxWithheldShown)]
		problem.Hint = words.New("toolbox.withheld_mentioned", "Names", shown, "Name", shown[0],
			"Value", "${"+shown[0]+"}")
		if secret.Key(shown[0]) && problem.Kind == status.KindExited {
			problem.Kind, problem.Field, problem.Name = status.KindKey, "env", shown[0]
		}
		return []words.Text{problem.Hint}
	}
	if keys := keysAmong(l.attempt.unset); len(keys) > 0 && problem.Kind == status.KindExited {
		shown = keys[:min(len(keys), maxWithheldShown)]
		problem.Hint = words.New("toolbox.withheld_hint", "Hint", problem.Hint, "Names", shown, "More", len(keys)-len(shown))
	}
	return nil
}

// keysAmong returns the names of keys and tokens. A server that exits at once probably lacks one of them.
func keysAmong(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !secret.Key(name) })
}

// mentionedIn returns the names that occur in a server's output. Short names are ignored, since they occur in any text
// by chance.
func mentionedIn(lines []status.LogLine, names []string) []string {
	var found []string
	for _, name := range names {
		if len(name) < 6 && !strings.Contains(name, "_") {
			continue
		}
		if slices.ContainsFunc(lines, func(line status.LogLine) bool {
			return line.Source != sourceEngine && mentions(line.Text, name)
		}) {
			found = append(found, name)
		}
	}
	return found
}

// mentions reports whether a text contains a name as a whole word.
func mentions(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		start := at + i
		at = start + len(name)
		if (start == 0 || !ofName(text[start-1])) && (at == len(text) || !ofName(text[at])) {
			return true
		}
	}
}

// ofName reports whether a byte can be part of the name of a variable.
func ofName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
