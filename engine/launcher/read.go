package launcher

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// Role says what an argument is for.
type Role int

// The roles of arguments.
const (
	Value    Role = iota // for a program of which nothing is known, or that was started
	Own                  // a word of the launcher itself, such as "run"
	Flag                 // a flag or a variable of a launcher
	Joined               // short flags of a shell or an interpreter, perhaps with a value
	Unsure               // names the program that is started, or is the value of a flag
	Package              // the value of a flag that names what is started, as after --from
	Starts               // names the program, package, image or script that is started
	Variable             // sets a variable in a container
	Code                 // code that the program runs
)

// Argument describes one argument of a command.
type Argument struct {
	Role Role

	// Program is the program that gets the argument: that of the command, or one that it starts, as in "npx
	// server".
	Program string

	// Expands says which references the programs replace before the argument is used. For code, these are all.
	Expands Style
}

// InShell reports whether an argument is code for a shell.
func (a Argument) InShell() bool {
	p := Of(a.Program)
	return a.Role == Code && (p.Kind == Shell || p.Kind == WindowsShell || p.CodeInShell || p.CodeAfter)
}

// Certain reports whether the program is known to run code, so that an argument that may be code is code.
func (a Argument) Certain() bool { return Of(a.Program).Kind != Unknown }

// Read says what each argument of a command is. programs are the program of the command and those that it
// starts in turn, as npx and env do.
func Read(command string, args []string) (arguments []Argument, programs []string) {
	r := reader{args: args, found: make([]Argument, len(args)), programs: []string{command}}
	r.use(command)
	for r.at < len(args) {
		r.next()
	}
	return r.found, r.programs
}

// reader reads the arguments of a command from left to right.
type reader struct {
	args     []string
	at       int
	found    []Argument
	programs []string

	// These are of the program that gets the arguments.
	name     string
	program  *Program
	expands  Style  // of all programs so far
	before   string // the previous argument; "" after a word of the program itself
	own      int    // words of the program itself
	operands int    // words that it still needs before the one that it starts
	codeOnly bool   // all that follows is code
}

// use makes a program the one that gets the following arguments.
func (r *reader) use(command string) {
	if r.program != nil && r.program.CodeAfter { // ssh HOST
		r.codeOnly = true
		return
	}
	inside := r.program != nil && r.program.Kind == Container
	r.name, r.program = command, Of(command)
	if inside && r.at < len(r.args) && Of(r.args[r.at]).Kind != Unknown { // docker run image sh -c …
		r.found[r.at] = Argument{Role: Starts, Program: command, Expands: r.expands}
		command = r.args[r.at]
		r.programs = append(r.programs, command)
		r.name, r.program = command, Of(command)
		r.at++
	}
	r.expands |= r.program.Expands
	r.before, r.own, r.operands = "", 0, r.program.Operands
}

// next reads one argument.
func (r *reader) next() {
	arg, previous := r.args[r.at], r.before
	a := &r.found[r.at]
	r.at++
	*a = Argument{Role: r.role(arg), Program: r.name, Expands: r.expands}
	r.before = arg
	switch {
	case a.Role == Code && r.program.Kind == WindowsShell && !r.codeOnly &&
		!strings.ContainsAny(arg, " \t\"&|<>^"): // cmd /c npx …
		a.Role = Starts
	case a.Role == Code && r.program.JoinsCode:
		r.codeOnly = true
	case a.Role == Own:
		r.before = ""
	case a.Role == Unsure && r.program.names(previous):
		a.Role = Starts
	}
	switch a.Role {
	case Code:
		a.Expands = Dollar | Percent
	case Starts:
		r.programs = append(r.programs, arg)
		r.use(arg)
	}
}

// role returns what an argument is, except that [Unsure] may be [Starts].
func (r *reader) role(arg string) Role {
	p := r.program
	dashed := strings.HasPrefix(arg, "-") || p.Kind == WindowsShell && strings.HasPrefix(arg, "/")
	switch {
	case r.codeOnly:
		return Code
	case r.before != "" && slices.Contains(p.Package, r.before):
		return Package
	case r.before != "" && slices.Contains(p.Valued, r.before):
		return Own
	case r.before != "" && slices.Contains(p.Module, r.before):
		return Unsure
	case p.code(r.before), inlineCode.MatchString(arg), p.Evaluates && !dashed:
		return Code
	case p.short(arg):
		if p.withCode(arg) {
			return Code
		}
		return Joined
	case p.Evaluate != "" && arg == p.Evaluate:
		r.codeOnly = true
		return Own
	case p.Kind == Container && (r.before == "-e" || r.before == "--env" || setsVariable.MatchString(arg)):
		return Variable
	case (p.Kind == Unknown || !dashed) && r.at < len(r.args) && Is(arg, Shell, WindowsShell, Interpreter) &&
		Of(arg).code(r.args[r.at]):
		return Starts // whatever starts it, as in "kubectl exec pod -- sh -c code"
	case p.Kind == Unknown:
		return Value
	case dashed && r.before == "--":
		r.program = new(Program) // so the program was already named
		return Value
	case dashed || assignedName.MatchString(arg):
		return Flag
	case r.own < maxOwn && p.owns(arg):
		r.own++
		return Own
	case r.operands > 0:
		r.operands--
		return Own
	}
	return Unsure
}

// maxOwn is how many words of its own a launcher has at most, as in "uv tool run".
const maxOwn = 3

var (
	// assignedName matches NAME= at the beginning of an argument.
	assignedName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_.-]*=`)

	// setsVariable matches a flag of a container with its variable.
	setsVariable = lazyregexp.New(`^(?:--env=|-e[A-Za-z_][A-Za-z0-9_]*=)`)

	// cluster matches short flags written together, the last of which is followed by code: -lc, -pe, -ne, -E,
	// -r.
	cluster = lazyregexp.New(`^[-+][A-Za-z0-9]{0,6}[cCeEpr]$`)

	// inlineCode matches a flag that contains its code.
	inlineCode = lazyregexp.New(`^--(?:eval|print|command|call|split-string)=`)
)

// code reports whether a flag is followed by code. For an unknown program the short flags are, since it may
// be a shell.
func (p *Program) code(flag string) bool {
	switch flag {
	case "":
		return false
	case "--eval", "--print", "--command", "--call", "-Command", "-EncodedCommand":
		return true
	case "-c", "-e", "-p":
		return p.Kind != Container
	case "-S", "--split-string", "-yc": // env, npx
		return p.Kind == Starter
	}
	switch p.Kind {
	case Shell:
		return cluster.MatchString(flag) || strings.HasPrefix("-encodedcommand", strings.ToLower(flag)) ||
			strings.HasPrefix("-command", strings.ToLower(flag))
	case Interpreter:
		return cluster.MatchString(flag) || flag == "-B" || flag == "-R" // of PHP
	case WindowsShell:
		return strings.EqualFold(flag, "/c") || strings.EqualFold(flag, "/k") || strings.EqualFold(flag, "/r")
	}
	return false
}

// short reports whether an argument is a short flag of a shell or an interpreter, perhaps with its value, as
// in "python -ctoken=f()".
func (p *Program) short(arg string) bool {
	return (p.Kind == Shell || p.Kind == Interpreter) && p.Joined != noFlags && len(arg) > 2 && arg[0] == '-' &&
		arg[1] != '-' && !p.code(arg)
}

// withCode reports whether short flags end with code: flags without a value, the flag for code, and the code.
func (p *Program) withCode(arg string) bool {
	switch p.Joined {
	case joinedPython:
		return joinedPythonCode.MatchString(arg)
	case notJoined:
		return false
	}
	return joinedCode.MatchString(arg)
}

var (
	joinedPythonCode = lazyregexp.New(`^-[bBdEhiIOPqRsSuvVx]*c.`)

	// joinedCode asks for a character that values of other flags do not have.
	joinedCode = lazyregexp.New(`^-[A-Za-z0-9]{0,6}[eEr](?s:.*)[^A-Za-z0-9_/.:,=@+-]`)
)

// owns reports whether a word is a command of the launcher itself, or a number that it needs, as in "timeout
// 5".
func (p *Program) owns(word string) bool {
	if p.Direct || p.Kind != Starter && p.Kind != Container && word != "run" {
		return false
	}
	switch word {
	case "run", "exec", "dlx", "x", "tool", "container", "create", "start", "compose", "shell", "develop":
		return true
	}
	return period.MatchString(word)
}

var period = lazyregexp.New(`^[0-9]+[smhd]?$`)

// names reports whether the word after an argument certainly names the program: the argument is no flag, or
// one that takes no other value.
func (p *Program) names(before string) bool {
	return !strings.HasPrefix(before, "-") || before == "--" || strings.Contains(before, "=") ||
		slices.Contains(p.Module, before) ||
		slices.Contains(switches, before)
}

// switches are flags without a value.
var switches = []string{"-y", "--yes", "-i", "--rm", "-t", "-it", "-ti", "-d", "-q", "--quiet", "--silent", "-g",
	"--global", "--init", "--interactive", "--tty",
	"-A", "--allow-all", "--privileged", "--isolated", "--prefer-offline", "--always-auth", "--sig-proxy", "--no-install",
	"--offline", "--read-only",
	"--detach", "-E", "-n"}
