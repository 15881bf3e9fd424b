// Package edit changes workbench-config.json and keeps everything else in it.
//
// The file belongs to the user. An edit replaces a few pieces of text and leaves every other byte as it was:
// order, comments, commas, indentation, line ends, byte order mark, the spelling of numbers and unknown keys.
// New text is written in the style of the text beside it.
//
// [Apply] is pure: it takes bytes and operations and returns bytes. An [Op] names what it changes and does
// not depend on a position in the file. It can therefore be done again on other bytes when another program
// has changed the file meanwhile.
//
// Package engine/jsonc changes the text. This package says what an operation means for a configuration.
//
// An edit checks only the form of the file. config.Parse decides whether the result makes sense, and a file
// that does not make sense yet can still be edited.
package edit
