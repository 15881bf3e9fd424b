// Package imports finds the servers in the files of other apps and puts them into toolboxes.
//
// [Make] only reads. It reads the files of the apps in the table of package clients, and makes a [Plan]:
// which server would come into which toolbox, under which name and from where, and what is left out and why.
// A plan is data, which a command prints and a window shows. [Plan.Ops] returns its edits, to be made as one
// change. [Plan.Keep] moves values that look like secrets into a keychain.
//
// Package paste interprets a single entry, since it knows the forms that all apps use. This package finds the
// entries and combines them.
package imports
