// Package kit has the widgets and layouts from which the screens are built. It has a few basic ideas:
//
//   - Spaces have names ([GapTight], [Gap], [GapEdge], …). Screens use these names instead of numbers of their own.
//   - Objects are placed in a [Row] or a [Column], with an [Inset] around them. [Rest] marks the object that gets the
//     remaining room. The order of the objects is the order of the Tab key. For other arrangements there are [Sized],
//     [NewNarrow], [NewCentred], [NewMiddle], [NewShared], [NewHalves], [NewBeside], [Marked] and [NewFlow], and
//     [Arranged] for a layout that is used only once. Widgets draw themselves with [NewDrawing] or [NewSketch].
//   - A [Text] is one line, which may be shortened. [Lines] is text that wraps: [NewParagraph] shows all of it,
//     [NewLines] only a few lines. [NewSelectable] is text that the mouse can select.
//   - A [Box] is a background, such as that of a card or a chip.
//   - A [Page] scrolls and gives wrapped texts the height that they need. [Rows] and [Long] show many items and make
//     only the visible ones.
//   - A [Control] is the base of our own widgets that can have the focus. It knows whether it has the focus and whether
//     the pointer is over it, passes on the keys and shortcuts that it does not use, and scrolls into view on its page.
//     Our buttons, fields and lists are based on Fyne's, but handle the focus and the keys in the same way, with
//     [Keyboard]. Every field for text is based on [Input], except the editor in package code.
//   - A [Note] is a message with an icon and buttons, below a field or above a screen. [Notes] shows them.
//   - A [Question] is a dialog.
//
// Controls take colours and sizes from package theme by name, so they follow when the theme changes.
package kit
