package paths

import "strings"

// engineApp is the app inside Workbench.app of macOS that is the engine. It is an app with a name of its own, so that
// the system can name it when it asks the person, and keep the answer. See docs/adr/067-two-programs-in-a-package.md.
const engineApp = "/Contents/Helpers/Workbench Engine.app"

// macFolder is where an app of macOS has its program.
const macFolder = "/Contents/MacOS"

// Beside returns the paths where a package may have another program of ours, given the path of one: the same folder
// and, for apps of macOS, the other of the two apps. The paths may have either kind of slashes.
func Beside(program, name string) []string {
	folder := program[:strings.LastIndexAny(program, `/\`)+1]
	found := []string{folder + name}
	if app, inside := strings.CutSuffix(folder, engineApp+macFolder+"/"); inside {
		return append(found, app+macFolder+"/"+name)
	}
	if app, inside := strings.CutSuffix(folder, macFolder+"/"); inside {
		return append(found, app+engineApp+macFolder+"/"+name)
	}
	return found
}
