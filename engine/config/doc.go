// Package config finds, reads, diagnoses, expands and watches the user's workbench-config.json.
//
// The file belongs to the user, so its content can be anything. [Parse] accepts any bytes and returns a
// [Document]: the [Config] as far as it could be understood, and every problem as a [Diagnostic] with its
// place. The engine, the window and the commands all use Parse, so that they never disagree about a file.
//
// References such as ${HOME} stay in the Config as they are written. [Server.Expand] replaces them when a
// server is started, and the result is never written anywhere.
//
// The rules come from contract.md, section 2.
package config
