// Package userpath adds the folder of the program to the user's PATH on Windows, and removes it again. The installer
// runs it, because the installer's own language truncates a long PATH.
package userpath

import (
	"errors"
	"slices"
	"strings"
)

// Command is the command that the installer runs. Its argument is "add" or "remove".
const Command = "user-path"

// errCharacters means that a folder cannot be in PATH, because Windows would read another folder.
var errCharacters = errors.New(`a folder with ";", "%" or a quote in its name cannot be in PATH`)

// with returns path with the folder at its end, unless the folder is in it already.
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

// without returns path without the folder, and otherwise unchanged.
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
