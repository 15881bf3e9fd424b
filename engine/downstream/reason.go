package downstream

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// maxReason limits the output of a server that an error quotes, in bytes.
const maxReason = 400

// reason returns the last lines of stderr that explain a failure, at most most of them, joined by " | ". Stack traces
// and the output of package runners are left out. If stderr is empty, it uses stdout.
func (l *serverLog) reason(most int) string {
	lines := l.snapshot()
	text := reasonFrom(lines, SourceStderr, most)
	if text == "" {
		text = reasonFrom(lines, SourceStdout, most)
	}
	return text
}

func reasonFrom(lines []LogLine, source Source, most int) string {
	var all, telling []string
	framed := false // within a warning of pnpm, which has a frame
	for _, entry := range lines {
		if entry.Source != source {
			continue
		}
		text := strings.TrimSpace(entry.Text)
		words := npmWords(text)
		all = append(all, words)
		if framed = framed || strings.HasPrefix(text, "╭ Warning ─"); framed {
			framed = !strings.HasPrefix(text, "╰")
			continue
		}
		if !noise.MatchString(text) && !noise.MatchString(words) && strings.Trim(words, "{}[](),;^~ ") != "" {
			telling = append(telling, words)
		}
	}
	if len(telling) == 0 {
		telling = all
	}
	if len(telling) > most {
		telling = telling[len(telling)-most:]
	}
	text := strings.Join(telling, " | ")
	for len(text) > maxReason && len(telling) > 1 {
		telling = telling[1:]
		text = strings.Join(telling, " | ")
	}
	return clean(text, maxReason)
}

// npmWords removes the prefix that npm writes before each line of an error.
func npmWords(text string) string {
	words, ok := strings.CutPrefix(text, "npm error")
	if !ok {
		if words, ok = strings.CutPrefix(text, "npm ERR!"); !ok {
			return text
		}
	}
	words = strings.TrimSpace(words)
	if number, rest, _ := strings.Cut(words, " "); len(number) == 3 && strings.Trim(number, "0123456789") == "" {
		words = strings.TrimSpace(rest)
	}
	return words
}

// noise matches lines that runtimes and package runners print in addition to the reason. testdata/reasons.txtar has
// examples.
var noise = lazyregexp.New(`^(?:` +
	`at |\^|Node\.js v|` + // stack traces of Node
	`\(node:\d+\) (?:\[DEP\d+\] )?(?:DeprecationWarning|ExperimentalWarning|Warning): |` +
	"\\(Use `(?:node|electron|bun) --trace-|" +

	`(?i:npm (?:notice|warn|http|info|verb|sill|timing)\b)|` +
	`code E404|Not Found - GET |A complete log of this run|Note that you can also install from a|tarball, folder, http url, or git url|` +

	// pnpm and bunx
	`Progress: resolved \d|Packages: [+-]\d|[+-]+$|WARN\s+(?:\d+ )?deprecated |Already up to date$|Done in \S+|` +
	`Resolving dependencies$|Resolved, downloaded and extracted \[\d+\]$|Saved lockfile$|` +

	// uvx
	`(?:Resolved|Prepared|Installed|Uninstalled|Audited) \d+ packages? in |Downloading \S+(?: \(download\))? \([\d.]+ ?[KMG]?i?B\)$|Downloaded \S+$|` +
	`(?:Building|Built) \S+(?:==\S+| @ \S+)$|Using (?:CPython|Python|PyPy) \d|Creating virtual environment at: |[+-] \S+==\S|` + "warning: `VIRTUAL_ENV=|" +

	// docker run
	`Unable to find image '[^']*' locally$|\S+: Pulling from |Digest: sha256:|Status: (?:Downloaded newer image|Image is up to date) for |(?:Run|See) 'docker run --help'|` +
	`[0-9a-f]{12}: (?:Pulling fs layer|Waiting|Downloading|Verifying Checksum|Download complete|Extracting|Pull complete|Already exists)` +
	`)`)
