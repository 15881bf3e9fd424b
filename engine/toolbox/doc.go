// Package toolbox opens and closes the toolboxes of a configuration: it connects their servers in
// parallel, keeps what is connected, filters and names the tools, and passes calls to them.
//
// It knows nothing of the client's side. Package workbench offers what stands here as meta-tools,
// the command line prints it, and the window shows it.
package toolbox
