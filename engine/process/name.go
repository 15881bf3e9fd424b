package process

import "strings"

// Name returns a command without its folder and the file name extensions of Windows, in lower case: "npx" for
// C:\node\npx.CMD.
func Name(command string) string {
	name := strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:])
	for _, ending := range []string{".exe", ".cmd", ".bat", ".com"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}
