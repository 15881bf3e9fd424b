// Package approval keeps what a person has approved to run. The window and the commands note each entry that they save; an entry that another
// program has written into the configuration waits until a person approves it.
//
// What is approved is what runs: the fields of an entry that the table in [config.ServerFields] calls guarded, as they stand in the file, with
// references unexpanded. Its name, toolbox, place, description and filters do not matter.
//
// Nothing waits as long as no window was ever set up, and while the person has chosen to edit the file with other programs. See
// docs/adr/078-what-runs-is-approved.md.
package approval
