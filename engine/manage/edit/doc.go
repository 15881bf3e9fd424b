// Package edit changes workbench-config.json without loss.
//
// The file is the user's. An edit is a few replacements of text, and every byte that they do not
// name stays what it was: order, comments, commas, indentation, line ends, byte order mark, spelling
// of numbers, keys that nobody knows. What is new is written in the style of what stands beside it.
//
// [Apply] is pure: bytes and operations in, bytes and changes out. The changes can be inverted to the
// very bytes of before. An [Op] says what is meant and not where it stands, so that it can be done again on other
// bytes when somebody else has changed the file meanwhile.
//
// How text is changed is engine/jsonc's matter. Here is what an operation means to a configuration.
//
// An edit cares for the form of the file alone. Whether the result makes sense is for config.Parse to say, and
// what does not make sense yet can be edited until it does.
package edit
