// Package doctor examines the computer as servers will find it. It checks whether the programs that start
// servers are installed, whether our files can be read and written and are private, and whether the keychain
// answers.
//
// Checks and results are data, so that a window, a terminal and a report for others can show them.
package doctor
