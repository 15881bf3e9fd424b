// Package config is the user's workbench-config.json: found, read, diagnosed, expanded and watched.
//
// The file belongs to the user, so nothing here is allowed to be surprised by it. [Parse] takes any
// bytes at all and answers a [Document]: the [Config] that could be understood and every problem as
// a [Diagnostic] with its place. The engine, the window and the command line all use that one
// function, so they never disagree about a file.
//
// References such as ${HOME} stay in the Config as they are written. They are replaced by
// [Server.Expand] when a server is started, and the result is never written anywhere.
//
// The rules come from contract.md, section 2.
package config
