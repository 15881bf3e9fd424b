// Package approval records what a person has approved to run. The window and the commands record each entry
// that they save. An entry that another program has written into the configuration waits until a person
// approves it.
//
// An approval covers what runs: the guarded fields of an entry, see [config.ServerFields], as they are in the
// file, with references unexpanded. Its name, toolbox, place, description and filters do not matter.
//
// Nothing waits if no window was ever set up, and while the person has chosen to edit the file with other
// programs. See docs/adr/078-what-runs-is-approved.md.
package approval
