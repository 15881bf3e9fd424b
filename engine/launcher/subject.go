package launcher

import (
	"slices"
	"strings"
)

// Subject returns the word of a command that says most about what is started: a package, an image, a module,
// a script or a folder; "" if there is none.
func Subject(command string, args []string) string {
	arguments, _ := Read(command, args)
	known := Of(command)
	for i, arg := range args {
		a := arguments[i]
		switch {
		case known.Kind == Container && a.Role == Starts:
			return image(arg)
		case a.Role == Package:
			return arg
		case a.Role == Flag && strings.HasPrefix(arg, "--package="):
			return strings.TrimPrefix(arg, "--package=")
		case i > 0 && args[i-1] == "-m" && slices.Contains(Of(a.Program).Module, "-m"):
			module, _, _ := strings.Cut(arg, ".")
			return module
		case strings.HasPrefix(arg, "@smithery/cli") && i+2 < len(args) && args[i+1] == "run":
			return args[i+2]
		case a.InShell():
			words := strings.Fields(arg)
			for at, word := range words {
				if at+1 < len(words) && (installs(word, words[at+1:]) || Is(word, Interpreter)) {
					return Subject(word, words[at+1:])
				}
			}
		}
	}
	if i := slices.Index(args, "--directory"); i >= 0 && i+1 < len(args) {
		return args[i+1]
	}
	return FirstWord(command, args)
}

// FirstWord returns the first argument that is neither a flag, code, nor a word such as "run".
func FirstWord(command string, args []string) string {
	arguments, _ := Read(command, args)
	for i, arg := range args {
		switch {
		case strings.HasPrefix(arg, "-"), arguments[i].Role == Code, arguments[i].Role == Own, arguments[i].Role == Variable,
			arguments[i].Role == Flag:
		case slices.Contains([]string{"run", "exec", "dlx", "x", "tool", "start", "serve", "/c", "/C", "mcp", "stdio",
			"server"}, arg):
		case Of(arg).Kind != Unknown && i+1 < len(args) && arguments[i].Role == Starts: // env A=b npx server
		default:
			return arg
		}
	}
	return ""
}

// image returns the name of a container's image, without its version.
func image(name string) string {
	name, _, _ = strings.Cut(name, "@")
	if colon := strings.LastIndexByte(name, ':'); colon > strings.LastIndexByte(name, '/') {
		name = name[:colon]
	}
	return name
}

// Known reports whether a word is a program with which a command line probably begins: one of the table, and
// not just a word of a sentence.
func Known(word string) bool {
	p := Of(word)
	return p.Kind != Unknown && !p.Word
}
