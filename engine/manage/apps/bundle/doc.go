// Package bundle makes the .mcpb bundle by which Claude Desktop can start Workbench without an entry in its
// file.
//
// The bundle is a fallback for when the app keeps dropping the entry. A bundle is installed into the app and
// kept elsewhere. It does not contain the program. It names the installed program by its full path, with the
// same arguments as the entry. It is therefore made on the computer where it is used, and works only there.
package bundle
