// Package userpath puts the folder of the program into the user's PATH on Windows, where no package does that,
// and takes it out again. The installer asks for it: its own language cuts a long PATH short.
package userpath

import (
	"errors"
	"slices"
	"strings"
)

// Command is the command with which the installer asks; it has one argument, "add" or "remove".
const Command = "user-path"

// errCharacters is the reason why a folder cannot be in PATH: Windows would read another one.
var errCharacters = errors.New(`a folder with ";", "%" or a quote in its name cannot be in PATH`)

// with returns a PATH that has the folder at its end, unless it is in it.
func with(path, folder string) (string, error) {
	switch {
	case strings.ContainsAny(folder, `;%"`):
		return "", errCharacters
	case has(path, folder):
		return path, nil
	case path == "":
		return folder, nil
	case strings.HasSuffix(path, ";"):
		return path + folder + ";", nil
	}
	return path + ";" + folder, nil
}

// without returns a PATH without the folder. All else stays as it is, character by character.
func without(path, folder string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(path, ";"), func(part string) bool {
		return same(part, folder)
	}), ";")
}

func has(path, folder string) bool {
	return slices.ContainsFunc(strings.Split(path, ";"), func(part string) bool { return same(part, folder) })
}

// same reports whether an entry of PATH means the folder.
func same(entry, folder string) bool {
	plain := func(path string) string {
		return strings.TrimRight(strings.ReplaceAll(strings.Trim(strings.TrimSpace(path), `"`), "/", `\`), `\`)
	}
	return strings.EqualFold(plain(entry), plain(folder))
}
