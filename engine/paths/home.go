package paths

import "runtime"

// LookupEnv returns a variable that env may have. Files that are used on several systems say HOME, which
// Windows does not set: there it is USERPROFILE.
func LookupEnv(env func(name string) (string, bool), name string) (string, bool) {
	return lookupEnv(runtime.GOOS, env, name)
}

func lookupEnv(goos string, env func(string) (string, bool), name string) (string, bool) {
	value, ok := env(name)
	if !ok && goos == "windows" && name == "HOME" {
		return env("USERPROFILE")
	}
	return value, ok
}
