// Package clients registers Workbench in the apps that start it, and takes it out again.
//
// Package client has the table of the apps ("clients"): where each keeps its file, in which format, what an entry looks like there, and how the
// app behaves. This package reads that table; to add a client is to add one row to it, and its golden file here.
//
// [System] is the computer: its kind, the user's home folder, the environment. It is handed in, so that the paths of every system are
// tested on any. [System.Detect] finds what is there by names of files and folders alone; it opens no file of another app.
package clients
