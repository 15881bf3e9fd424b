// Package kit holds what the screens are built from. It is a handful of ideas:
//
//   - Spaces have names ([GapTight], [Gap], [GapEdge], …), in steps of four pixels. No screen writes a number of its own.
//   - Things stand in a [Row] or a [Column], with an [Inset] around them. [Rest] marks the one that gets the room that is left. The
//     order is that of the Tab key. For the few other places there are [Sized], [NewNarrow], [NewCentred], [NewMiddle], [NewPair],
//     [NewShared], [NewBeside], [Marked] and [NewFlow].
//   - A [Text] is one line, which may be shortened. [Lines] is text that wraps; [NewParagraph] is all of it, [NewLines] as much as a few
//     lines hold.
//   - A [Box] is a ground under something, such as a card or a chip.
//   - A [Page] is scrolled and gives texts that wrap their height. [Rows] and [Long] hold many things and make only those that can
//     be seen.
//   - A [Control] is what can have the keyboard: it knows whether it has it and whether the pointer is over it, passes on the keys and
//     shortcuts that it does not use, and comes into sight on its page. Buttons, fields and lists of Fyne's are the same in that. An
//     [Input] is every field for text.
//   - A [Question] is a dialog.
//
// Controls take colours and sizes from package theme by name, and follow a change of the theme.
package kit
