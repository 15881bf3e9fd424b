// Package launcher knows the programs that start servers, such as npx, docker, sh and env: which of their
// arguments are code, which one names the program that they start, whether they may have to install it, and
// who replaces references such as $HOME in an argument.
//
// What is known of each program is one row of the table in table.go.
package launcher

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// Kind is the kind of a program.
type Kind int

// The kinds of programs.
const (
	Unknown      Kind = iota
	Shell             // runs the code after -c
	WindowsShell      // runs what follows /c
	Interpreter       // runs a file, or the code after -e and similar flags
	Starter           // starts another program
	Container         // starts another program in a container
)

// Style is a set of forms in which programs write references to variables.
type Style int

// The forms that programs replace in arguments.
const (
	Dollar  Style = 1 << iota // $NAME and ${NAME}
	Percent                   // %NAME%
)

// Program is what is known of one program, or of several that are alike.
type Program struct {
	Names []string // without a version, as [Base] returns them
	Kind  Kind

	// Installs has the first words after which the program may have to download what it starts, or anyWord.
	Installs []string
	// Expands says which references the program replaces in the arguments that follow it.
	Expands Style
	// Package has the flags before the name of a package that has the program, such as --from, and Module those
	// before the program itself, such as -m.
	Package, Module []string
	// Valued has other flags whose value is the next argument, as far as it matters.
	Valued []string
	// Operands is how many words the program needs before the one that it starts, as in "chroot FOLDER".
	Operands int
	// CodeInShell says that a shell runs the code after the flags for code.
	CodeInShell bool
	// CodeAfter says that all words are code after the one that is started, as in "ssh HOST".
	CodeAfter bool
	// Evaluates says that each word that is no flag may be code, as in "awk CODE".
	Evaluates bool
	// Evaluate is the word after which all is code, as in "deno eval".
	Evaluate string
	// JoinsCode says that what follows the code is code too.
	JoinsCode bool
	// Joined says how code can follow its flag without a space.
	Joined joining
	// Direct says that the program starts what the first word names and has no words of its own.
	Direct bool
	// Sets says that words such as NAME=value before the program are variables for it.
	Sets bool
	// Word says that the name is also a word of a language, so that a text that begins with it is hardly a
	// command.
	Word bool
}

// anyWord in [Program.Installs] means that the program always downloads.
const anyWord = "*"

// joining is how code can follow its flag without a space.
type joining int

const (
	joinedOther  joining = iota // with a character that values of other flags do not have
	joinedPython                // after -c and other letters
	notJoined                   // the code is always the next argument
	noFlags                     // a single dash begins a longer name, as of Java's properties
)

// Base returns the [process.Name] of a command without a version at its end: "python" for
// /usr/bin/python3.12.
func Base(command string) string {
	name := process.Name(command)
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		name = name[:i]
	}
	if short := strings.TrimRight(name, "0123456789."); short != "" {
		name = strings.TrimSuffix(short, "-")
	}
	return strings.TrimSuffix(name, ".ps1")
}

// Of returns what is known of a command. The result is shared and must not be changed; of an unknown program
// it is the zero value.
func Of(command string) *Program {
	name := Base(command)
	for _, p := range table {
		if slices.Contains(p.Names, name) {
			return p
		}
	}
	return new(Program)
}

// Is reports whether a command is of one of some kinds.
func Is(command string, kinds ...Kind) bool { return slices.Contains(kinds, Of(command).Kind) }

// IsShell reports whether a command is a shell.
func IsShell(command string) bool { return Is(command, Shell, WindowsShell) }

// MayInstall reports whether starting a command may first download something, as package runners such as npx
// do.
func MayInstall(command string, args []string) bool {
	arguments, _ := Read(command, args)
	if installs(command, args) {
		return true
	}
	for i, a := range arguments {
		switch {
		case a.Role == Starts && installs(args[i], args[i+1:]):
			return true
		case a.Role == Code && a.InShell():
			words := strings.Fields(args[i])
			for at, word := range words {
				if installs(word, words[at+1:]) {
					return true
				}
			}
		}
	}
	return false
}

// installs reports whether a command itself downloads.
func installs(command string, args []string) bool {
	words := Of(command).Installs
	return slices.Contains(words, anyWord) || len(args) > 0 && slices.Contains(words, args[0])
}
