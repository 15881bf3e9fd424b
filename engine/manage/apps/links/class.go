package links

// ClassKey is the registry key of our scheme, below HKEY_CURRENT_USER.
const ClassKey = `Software\Classes\` + Scheme

// ClassCommand is the subkey of a scheme that names the program that opens its links.
const ClassCommand = `\shell\open\command`

// ClassValues returns the registry values for a program that opens the links of a scheme: the key, the name
// of the value, and its text. The installer writes the same values (packaging/windows/installer.nsi).
func ClassValues(key, program string) [][3]string {
	return [][3]string{
		{key, "", "URL:Workbench"},
		{key, "URL Protocol", ""},
		// Quoted, so that the link is one argument. A link that ends the quotes still gives no flags, because of "--".
		{key + ClassCommand, "", `"` + program + `" -- "%1"`},
	}
}
