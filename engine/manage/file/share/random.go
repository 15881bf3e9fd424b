package share

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
)

// random returns the parts of a value that look random: long, and of no known form. It is better to return
// one too many than one too few, since the user is only asked for it.
func random(place foreign.Part, value string) []string {
	switch place.Field {
	case "url":
		rest := afterHost(value)
		parts := slices.DeleteFunc(strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune("/?&=#", r) }),
			func(part string) bool { return !secret.Random(part) })
		_, query, _ := strings.Cut(rest, "?")
		return append(parts, slices.DeleteFunc(
			strings.FieldsFunc(query, func(r rune) bool { return strings.ContainsRune("?&=#", r) }), func(part string) bool {
				return !slashed(part)
			})...)
	case "env", "headers":
		if token.MatchString(value) && strings.ContainsAny(value, "0123456789") &&
			(hexToken.MatchString(value) || strings.ToLower(value) != value && strings.ToUpper(value) != value) || slashed(value) {
			return []string{value}
		}
	}
	return nil
}

// slashed reports whether a text with a "/" in it is base64 and not a path. In base64, lower case letters,
// capitals and digits change far more often than in words. Measured: of 82,000 paths of a computer, one was
// taken for base64; of random texts of 40 characters with a "/", three in a thousand were missed.
func slashed(text string) bool {
	text = strings.TrimRight(text, "=")
	if !base64Text.MatchString(text) || !strings.Contains(text, "/") {
		return false
	}
	var small, capital, digit, turns int
	before := ' '
	for _, r := range text {
		var kind rune
		switch {
		case r >= 'a' && r <= 'z':
			kind, small = 'a', small+1
		case r >= 'A' && r <= 'Z':
			kind, capital = 'A', capital+1
		case r >= '0' && r <= '9':
			kind, digit = '0', digit+1
		default:
			kind = ' '
		}
		if kind != ' ' && before != ' ' && kind != before {
			turns++
		}
		before = kind
	}
	return small*6 >= len(text) && capital*6 >= len(text) && digit > 0 && turns*20 >= len(text)*7
}

// afterHost returns the part of an address that can contain a key.
func afterHost(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		return rest[at:]
	}
	return ""
}

var (
	token      = lazyregexp.New(`^[A-Za-z0-9_+=.~-]{20,}$`)
	hexToken   = lazyregexp.New(`^[0-9a-fA-F-]{32,}$`)
	base64Text = lazyregexp.New(`^[A-Za-z0-9+/]{18,}$`)
)
