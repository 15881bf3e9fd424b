// Package jsonc reads, changes and compares the text of JSON with comments. It is the only package that does,
// and does not know what the texts mean.
//
// [Parse] accepts any text. The [Document] has a tree of [Node] values with their places, and all mistakes at
// once, each with its [Code] and place, like the parser that VS Code uses for its settings
// (node-jsonc-parser). Comments, a comma after the last member, and a byte order mark are no mistakes. If
// something is missing or wrong, the tree has the rest as far as it could be understood.
//
//	d := jsonc.Parse(text)
//	for _, err := range d.Errors { ... }
//	port := d.Root.At(jsonc.Keys("servers", "web").Member("port"))
//
// An [Editor] changes a text by operations on a [Path]: Set, SetText, Insert, Make, Remove, Rename, Move and
// Copy. An operation keeps every byte that it does not name: order, comments, commas, indentation, line ends,
// the spelling of numbers. New text is written in the style of the text beside it; a [Form] adds what the
// caller knows about such files.
//
//	e, err := jsonc.NewEditor(text, nil)
//	err = e.Set(jsonc.Keys("servers", "web", "port"), jsonc.Parse([]byte("8080")).Root)
//	changes := e.Changes()               // of text; jsonc.Apply(text, changes) is e.Text()
//	undo := jsonc.Invert(text, changes)  // jsonc.Apply([]byte(e.Text()), undo) is text
//
// A comment belongs to a member if it is directly above it, or before or after it on the same line, and it
// moves with the member. A comment with a blank line below it is a heading: it belongs to no member and
// stays.
//
// A [Change] is a replacement of bytes. [Apply] makes a list of changes, [Invert] returns the changes that
// undo them, and [Difference] finds one.
//
// [Compare] returns the difference between two values, by path. A [Merge] says whether two changes of the
// same text can be combined, and where they clash.
//
// Places are offsets in bytes from the beginning of the text, including a byte order mark. Texts may be
// hostile: recursion is limited, and [MaxDepth], [MaxValues] and [MaxErrors] limit what is stored.
package jsonc
