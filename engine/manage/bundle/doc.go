// Package bundle makes the .mcpb bundle by which Claude Desktop can start Workbench without an entry in its file.
//
// It is a fallback, for when the app drops the entry again and again: a bundle is installed into the app and kept elsewhere. Nothing of
// the program is in it. It names the program that is installed here, by its whole path, with the very arguments of the entry. So it
// is made on the computer where it is used, and is of no use on another.
package bundle
