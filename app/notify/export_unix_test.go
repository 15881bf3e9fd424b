//go:build linux || freebsd || openbsd || netbsd

package notify

// Markup escapes a text for a desktop that reads texts as markup.
func Markup(text string) string { return markup(text) }
