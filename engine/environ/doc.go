// Package environ finds the user's real environment if the parent process has passed on only a bare one.
//
// AI apps that were started from a menu pass on little more than HOME and the system's own PATH. Then npx,
// uvx or docker are not found although they are found in a terminal, where the start files of the user's
// shell add their folders to PATH. So the shell is asked, once, and only if a program is not found otherwise.
// The folders in which well-known installers put programs are added after that. See
// docs/adr/031-environment.md for what is added and what is not.
package environ
