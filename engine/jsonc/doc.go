// Package jsonc reads, changes and compares JSON with comments as text. It is the one package that does, and knows nothing of what the
// texts mean.
//
// [Parse] reads anything. The [Document] has a tree of [Node] values with their places, and all mistakes at once, each with its
// [Code] and place, in the manner of the parser that VS Code has for its settings (node-jsonc-parser). Comments, commas after the last member, and
// a byte order mark are no mistakes. Where something is missing or wrong, the tree has what could be understood of the rest.
//
//	d := jsonc.Parse(text)
//	for _, err := range d.Errors { ... }
//	port := d.Root.At(jsonc.Keys("servers", "web").Member("port"))
//
// An [Editor] changes a text by operations on a [Path]: Set, SetText, Insert, Make, Remove, Rename, Move and Copy. Every byte that an
// operation does not name stays what it was: order, comments, commas, indentation, line ends, spelling of numbers. What is new is written
// in the style of what stands beside it; a [Form] adds what the caller knows of such files.
//
//	e, err := jsonc.NewEditor(text, nil)
//	err = e.Set(jsonc.Keys("servers", "web", "port"), jsonc.Parse([]byte("8080")).Root)
//	changes := e.Changes()               // of text; jsonc.Apply(text, changes) is e.Text()
//	undo := jsonc.Invert(text, changes)  // jsonc.Apply([]byte(e.Text()), undo) is text
//
// A comment belongs to a member when it stands directly above it, before it on its line, or behind it on its line, and goes where the
// member goes. A comment with a blank line below it is a heading: it belongs to nobody and stays.
//
// A [Change] is a replacement of bytes. [Apply] makes a list of them, [Invert] returns what takes them back, and [Difference] finds one.
//
// [Compare] says what makes one value of another, by path. A [Merge] says whether two changes of one text go together, and where they clash.
//
// Places are bytes from the beginning of the text, with its byte order mark. Texts may be hostile: nothing recurses without bound, and
// [MaxDepth], [MaxValues] and [MaxErrors] bound what is kept.
package jsonc
