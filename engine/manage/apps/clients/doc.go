// Package clients connects Workbench to the apps that start it, and disconnects it from them.
//
// Package client has the table of these apps, called clients: where each keeps its file, in which format,
// what an entry looks like, and how the app behaves. To add a client, add one row to that table and its
// golden file here.
//
// [System] describes the computer: its operating system, the user's home folder, the environment. It is
// passed in, so that the paths of every system are tested on any. [System.Detect] finds the installed apps by
// the names of files and folders alone; it opens no file of another app.
package clients
