// Package approval records what a person has approved to run. The window and the commands record each entry
// that they save. An entry that another program has written into the configuration waits until a person
// approves it.
//
// An approval covers what runs: the fields of an entry that need approval, see [config.ServerFields], as they are in
// the file, with references unexpanded. Its name, toolbox, place, description and filters do not matter.
//
// The record is a file of the user's own, with a key beside it that other programs would have to read in order to
// write a record that counts. It protects against programs and agents that change the configuration, not against a
// program that attacks this one with all rights of the user.
//
// Nothing waits if no window was ever set up, and while the person has chosen to edit the file with other
// programs. See docs/adr/078-what-runs-is-approved.md.
package approval
