// Package toolbox opens and closes the toolboxes of a configuration: it connects their servers in
// parallel, keeps what is connected, filters and names the tools, and passes calls to them.
//
// It does not depend on how clients use it: package mcpserver makes meta-tools of it, and the command line and the
// window show it.
package toolbox
