// Package doctor looks at the computer the way servers will find it: whether the programs are there that servers are started
// with, whether our files can be read and written and are private, whether the keychain answers.
//
// What is looked at and what was found are data, so that a window, a terminal and a report for others can show them.
package doctor
