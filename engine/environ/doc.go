// Package environ finds the user's real environment when our parent gave us a bare one.
//
// AI apps that were started from a menu hand over hardly more than HOME and the system's own PATH, so that npx, uvx or docker
// are not found though a terminal finds them: what puts their folders into PATH are the start files of the user's shell. So the
// shell is asked, once and only when a program is not found without it, and the folders in which well-known installers put
// programs come after that. What is taken over, and what is not, is told in docs/adr/031-environment.md.
package environ
