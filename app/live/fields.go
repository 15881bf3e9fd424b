package live

import "fyne.io/fyne/v2/lang"

// Fields returns the labels of a server's fields in Setup, by their key in the file. The transport is left out,
// because Setup does not show it under one label, and so is "oauth", which is only in the JSON.
func Fields() map[string]string {
	return map[string]string{
		"command": lang.L("Command"), "args": lang.L("Arguments"), "cwd": lang.L("Folder"), "url": lang.L("Address"),
		"headers": lang.L("Headers"),
		"env":     lang.L("Keys and folders"), "startupTimeout": lang.L("To start"), "callTimeout": lang.L("Per call"),
		"inheritEnv": lang.L("Variables it receives"), "toolFilters": lang.L("Tools that AI apps may see"),
		"disabled":         lang.L("In use"),
		"trustToolChanges": lang.L("When its tools change"), "askFirst": lang.L("Asking first"),
		"share": lang.L("For several AI apps"),
	}
}
