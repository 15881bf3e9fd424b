// Package imports finds the servers that other apps have in their files, and puts them into toolboxes.
//
// [Make] only reads: it looks into the files of the apps that the table of package clients knows, and makes a [Plan] of what would come
// into which toolbox, under which name, from where, and what is left alone and why. A plan is data: a command prints it, a window shows it.
// [Plan.Ops] are its edits, to be made as one change, and [Plan.Keep] puts what looks like a secret into a keychain instead of the file.
//
// What an entry means is for package paste to say, which knows the shapes of all apps. Here are the ways to the entries, and
// what makes one list of many.
package imports
