package environ

import (
	"runtime"
	"slices"
	"strings"
)

// Inherit splits an environment of "NAME=value" strings. inherited are the variables that every server gets.
// withheld are the names of the others, sorted, without those that concern only the shell or the program that
// set them (docs/adr/072-a-servers-environment.md).
func Inherit(env []string) (inherited, withheld []string) {
	inherited = make([]string, 0, len(env))
	for _, entry := range env {
		name, _, ok := strings.Cut(entry, "=")
		switch {
		case !ok || name == "": // Windows stores the current folders of drives under names that begin with "="
		case Inherits(runtime.GOOS, name):
			inherited = append(inherited, entry)
		case validName(name) && !unremarkable(name):
			withheld = append(withheld, name)
		}
	}
	slices.Sort(withheld)
	return slices.Clip(inherited), slices.Compact(withheld)
}

// Inherits reports whether all servers get a variable. Programs need these variables to find their files, to
// use the user's language, and to reach the desktop and the network. None of their values gives access to
// anything.
func Inherits(goos, name string) bool {
	if goos == "windows" {
		// Windows ignores case in names, and itself writes Path and ComSpec.
		upper := strings.ToUpper(name)
		return ofWindows(upper) || imported(upper) || locale(upper)
	}
	return ofUnix(name) || imported(name) || locale(name)
}

// locale reports whether a variable sets the language or the encoding of programs.
func locale(name string) bool { return name == "LANG" || strings.HasPrefix(name, "LC_") }

// ofUnix reports whether a variable is usual in sessions on Linux, macOS and similar systems.
func ofUnix(name string) bool {
	switch name {
	// The user, as in the MCP SDKs.
	case "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER":
		return true
	// The folder for temporary files, the encoding of text, and the behaviour of tools on macOS.
	case "TMPDIR", "TMP", "TEMP", "TEMPDIR", "__CF_USER_TEXT_ENCODING", "COMMAND_MODE":
		return true
	// Time zones, colours and terminals. NO_COLOR keeps escape sequences out of logs.
	case "TZDIR", "COLORTERM", "NO_COLOR", "TERMINFO", "TERMINFO_DIRS":
		return true
	// The desktop: servers open browsers and windows, show notifications and use the keychain.
	case "DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
		"DBUS_SYSTEM_BUS_ADDRESS", "DESKTOP_SESSION", "BROWSER",
		"PULSE_SERVER", "PIPEWIRE_REMOTE", "GTK_IM_MODULE", "QT_IM_MODULE", "XMODIFIERS":
		return true
	// Linux inside Windows (WSL), where Windows programs can be started.
	case "WSL_DISTRO_NAME", "WSL_INTEROP", "WSLENV":
		return true
	// Where NixOS and Guix keep locales, certificates and time zones, which are not at the usual places.
	case "LOCALE_ARCHIVE", "NIX_PATH", "NIX_LD", "NIX_LD_LIBRARY_PATH", "GUIX_LOCPATH", "GUIX_PROFILE":
		return true
	}
	// XDG_RUNTIME_DIR, XDG_DATA_DIRS, XDG_CURRENT_DESKTOP and so on.
	return strings.HasPrefix(name, "XDG_")
}

// ofWindows reports whether a variable, in upper case, is one that Windows sets for every program.
func ofWindows(name string) bool {
	switch name {
	// The user and the system, as in the MCP SDKs.
	case "APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PROCESSOR_ARCHITECTURE", "SYSTEMDRIVE",
		"SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE",
		"PROGRAMFILES":
		return true
	// Without these, some programs do not start or do not work fully: cmd.exe, PowerShell, .NET, sockets.
	case "PATHEXT", "COMSPEC", "WINDIR", "TMP", "OS", "PROGRAMFILES(X86)", "PROGRAMW6432", "PROGRAMDATA",
		"ALLUSERSPROFILE", "PUBLIC",
		"COMMONPROGRAMFILES", "COMMONPROGRAMFILES(X86)", "COMMONPROGRAMW6432", "PSMODULEPATH", "DRIVERDATA",
		"PROCESSOR_ARCHITEW6432", "PROCESSOR_IDENTIFIER", "PROCESSOR_LEVEL", "PROCESSOR_REVISION", "NUMBER_OF_PROCESSORS",
		"COMPUTERNAME", "USERDOMAIN", "USERDOMAIN_ROAMINGPROFILE", "LOGONSERVER", "SESSIONNAME", "HOMESHARE":
		return true
	// Programs that come from Unix use these.
	case "HOME", "SHELL", "TERM", "NO_COLOR", "MSYSTEM":
		return true
	// Where installers on Windows put programs.
	case "NVM_HOME", "NVM_SYMLINK", "CHOCOLATEYINSTALL", "SCOOP", "SCOOP_GLOBAL":
		return true
	}
	return false
}

// unremarkable reports whether a withheld variable need not be named, because it concerns only the shell or
// terminal that set it.
func unremarkable(name string) bool {
	switch name {
	case "_", "SHLVL", "PWD", "OLDPWD", "PS1", "PS2", "PROMPT", "LS_COLORS", "LSCOLORS", "LESS", "LESSOPEN", "LESSCLOSE",
		"PAGER", "EDITOR", "VISUAL", "MAIL",
		"HISTFILE", "HISTSIZE", "HISTCONTROL", "COLUMNS", "LINES", "WINDOWID", "TERM_PROGRAM", "TERM_PROGRAM_VERSION",
		"TERM_SESSION_ID", "MANPATH", "INFOPATH",
		"XPC_FLAGS", "XPC_SERVICE_NAME", "INVOCATION_ID", "JOURNAL_STREAM", "MANAGERPID", "SYSTEMD_EXEC_PID",
		"MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE":
		return true
	}
	return false
}
