package find

import (
	"strings"
	"sync"
)

// alike is how much a word counts that means about the same as the one that was asked for.
const alike = 0.6

// groups are words that mean about the same where people ask for tools and where servers name them: what is done, and to what. They are common
// words of English and of the trade, and no names of products.
func groups() [][]string {
	return [][]string{
		// What is done.
		{"create", "make", "add", "new", "start", "open", "begin", "insert", "set up"},
		{"add", "append", "attach", "put", "include", "insert"},
		{"delete", "remove", "erase", "forget", "discard", "drop", "clear", "clean"},
		{"get", "show", "read", "view", "see", "look", "retrieve", "display", "load", "return"},
		{"list", "show", "which", "list all"},
		{"search", "find", "look", "query", "locate", "discover"},
		{"update", "change", "edit", "modify", "replace", "set", "alter", "patch", "close"},
		{"send", "post", "write", "message", "publish", "tell"},
		{"write", "save", "store", "put", "create"},
		{"move", "rename", "transfer"},
		{"copy", "duplicate", "fork", "clone"},
		{"reply", "answer", "respond", "comment"},
		{"undo", "reset", "revert", "restore", "roll back"},
		{"upload", "push", "publish"},
		{"download", "fetch", "pull", "clone", "get"},
		{"go", "navigate", "visit", "open", "browse"},
		{"click", "press", "tap", "push"},
		{"type", "fill", "enter", "input"},
		{"choose", "select", "pick", "switch", "check out"},
		{"run", "execute", "evaluate", "call", "perform", "trigger"},
		{"approve", "review", "accept"},
		{"combine", "merge", "join", "connect", "relate", "link"},
		{"remember", "memorize", "memory", "observation", "note", "fact"},
		{"know", "knowledge", "memory", "graph"},
		{"think", "reason", "thought", "problem"},
		{"wait", "pause", "until"},
		{"drive", "travel", "route", "direction", "journey"},
		{"say", "message", "post", "speak"},
		{"cancel", "stop", "abort", "end", "kill"},
		{"buy", "order", "pay", "purchase", "payment", "charge"},
		{"book", "schedule", "reserve", "event", "appointment", "meeting", "calendar"},
		{"translate", "translation", "language"},
		{"compress", "zip", "gzip", "archive"},
		{"convert", "transform", "export"},
		{"calculate", "compute", "sum", "add"},
		{"deploy", "release", "publish"},
		{"test", "check", "verify", "validate"},
		// To what.
		{"folder", "directory"},
		{"file", "document"},
		{"picture", "image", "photo", "screenshot", "media"},
		{"sound", "audio", "music", "media"},
		{"video", "film", "movie", "media"},
		{"website", "web page", "page", "site", "url", "browser"},
		{"internet", "web", "online"},
		{"mail", "email", "inbox"},
		{"person", "people", "user", "member", "contact", "everybody", "who", "entity", "profile"},
		{"thing", "entity", "object", "item"},
		{"channel", "room", "group"},
		{"conversation", "chat", "thread", "channel", "history"},
		{"reaction", "emoji", "thumbs", "like"},
		{"pr", "pull request", "merge request"},
		{"repo", "repository", "project"},
		{"bug", "issue", "ticket", "problem", "defect"},
		{"task", "todo", "issue", "ticket"},
		{"commit", "revision", "version"},
		{"changes", "diff", "status", "modified", "changed"},
		{"changes", "commit", "diff", "files"},
		{"checks", "status", "ci", "build"},
		{"author", "wrote", "blame", "who"},
		{"label", "tag"},
		{"remote", "server", "upstream"},
		{"address", "location", "geocode", "street", "place"},
		{"coordinates", "latitude", "longitude", "geocode", "position", "location"},
		{"distance", "far", "long", "duration", "travel time"},
		{"height", "high", "elevation", "altitude", "tall"},
		{"restaurant", "shop", "cafe", "hotel", "place", "business", "local"},
		{"phone", "hours", "details", "contact"},
		{"near", "nearby", "around", "local", "place"},
		{"news", "article", "web"},
		{"weather", "forecast", "temperature"},
		{"size", "big", "large", "info", "metadata"},
		{"content", "text", "body"},
		{"structure", "tree", "hierarchy"},
		{"name", "rename", "title"},
		{"job", "profile", "title"},
		{"disk", "computer", "file", "local"},
		{"table", "database", "data source", "sheet", "spreadsheet", "record", "row", "entry"},
		{"log", "console", "history"},
		{"error", "exception", "console", "failure"},
		{"number", "integer", "value"},
		{"environment", "env", "variable"},
		{"aside", "stash", "later"},
		{"everything", "all", "entire", "whole", "complete"},
		{"several", "multiple", "many", "batch"},
		{"smaller", "larger", "resize", "size"},
		{"drop down", "dropdown", "option", "menu"},
		{"script", "javascript", "code"},
		{"function", "code", "method", "symbol"},
	}
}

// related are the words of the same meaning, by the stem of a word: the stems of one word, or of several that must stand in the same tool.
type related map[string][][]string

var relatedStems = sync.OnceValue(func() related {
	var stems stemmer
	r := related{}
	for _, group := range groups() {
		for _, word := range group {
			if strings.Contains(word, " ") {
				continue // questions are looked at word by word
			}
			from := stems.stem(word)
			for _, other := range group {
				var phrase []string
				for part := range strings.SplitSeq(other, " ") {
					phrase = append(phrase, stems.stem(part))
				}
				if len(phrase) > 1 || phrase[0] != from {
					r[from] = append(r[from], phrase)
				}
			}
		}
	}
	return r
})
