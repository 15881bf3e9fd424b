package links

// ClassKey is the key of our scheme on Windows, below HKEY_CURRENT_USER.
const ClassKey = `Software\Classes\` + Scheme

// ClassCommand is the key below the one of a scheme that says which program opens its links.
const ClassCommand = `\shell\open\command`

// ClassValues returns what Windows keeps of a program that opens the links of a scheme: the key, the name of the value, and its text. The installer
// writes the same (packaging/windows/installer.nsi).
func ClassValues(key, program string) [][3]string {
	return [][3]string{
		{key, "", "URL:Workbench"},
		{key, "URL Protocol", ""},
		{key + ClassCommand, "", `"` + program + `" "%1"`}, // in quotes: a link is one argument
	}
}
