package launcher

var always = []string{anyWord}

// table has the known programs. To add a launcher, add a row.
var table = []*Program{
	// Shells.
	{Names: []string{"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "csh", "tcsh", "rbash", "mksh", "nu", "xonsh",
		"elvish"}, Kind: Shell},
	{Names: []string{"pwsh", "powershell"}, Kind: Shell, JoinsCode: true},
	{Names: []string{"cmd"}, Kind: WindowsShell, Expands: Percent, JoinsCode: true},

	// Interpreters.
	{Names: []string{"node", "nodejs", "tsx", "ts-node", "elixir"}, Kind: Interpreter, Joined: notJoined},
	{Names: []string{"deno"}, Kind: Interpreter, Evaluate: "eval", Joined: notJoined, Installs: always},
	{Names: []string{"bun"}, Kind: Interpreter, Joined: notJoined, Installs: []string{"x"}},
	{Names: []string{"python", "pythonw", "py", "pypy"}, Kind: Interpreter, Joined: joinedPython, Module: []string{"-m"}},
	{Names: []string{"java"}, Kind: Interpreter, Joined: noFlags, Module: []string{"-jar", "--jar", "-m", "--module"}},
	{Names: []string{"perl", "ruby", "php", "lua", "luajit", "rscript", "julia", "osascript", "groovy", "wscript",
		"cscript"}, Kind: Interpreter},
	{Names: []string{"r"}, Kind: Interpreter, Word: true},
	{Names: []string{"awk", "gawk", "mawk", "nawk"}, Kind: Interpreter, Evaluates: true},

	// Containers.
	{Names: []string{"docker", "podman", "nerdctl", "finch"}, Kind: Container, Installs: always,
		Valued: []string{"-v", "--volume", "--mount", "--name", "-p", "--publish", "--network", "--net", "-w", "--workdir",
			"-u", "--user", "--env-file",
			"--platform", "--entrypoint", "-l", "--label", "--add-host", "-m", "--memory", "--cpus", "--pull", "--gpus", "-h",
			"--hostname", "--security-opt",
			"--cap-drop", "--cap-add", "--tmpfs", "--restart"}},

	// What runs packages.
	{Names: []string{"npx", "bunx", "pnpx"}, Kind: Starter, Installs: always, Direct: true, CodeInShell: true,
		Package: []string{"-p", "--package"}},
	{Names: []string{"npm"}, Kind: Starter, Installs: always, CodeInShell: true, Package: []string{"-p", "--package"}},
	{Names: []string{"pnpm", "yarn"}, Kind: Starter, Installs: []string{"dlx"}, CodeInShell: true,
		Package: []string{"-p", "--package"}},
	{Names: []string{"uvx"}, Kind: Starter, Installs: always, Direct: true, Package: []string{"--from"},
		Valued: []string{"--with", "--python", "-p"}},
	{Names: []string{"uv"}, Kind: Starter, Installs: always, Package: []string{"--from"},
		Module: []string{"-m", "--module"},
		Valued: []string{"--with", "--python", "-p", "--project", "--directory"}},
	{Names: []string{"pipx"}, Kind: Starter, Installs: always, Package: []string{"--spec"}, Valued: []string{"--python"}},
	{Names: []string{"dnx"}, Kind: Starter, Installs: always, Direct: true},
	{Names: []string{"dotnet", "cargo", "hatch", "rye", "pixi", "poetry"}, Kind: Starter, Installs: []string{"run"}},
	{Names: []string{"go"}, Kind: Starter, Installs: []string{"run"}},
	{Names: []string{"nix", "nix-shell"}, Kind: Starter, Installs: always},
	{Names: []string{"conda", "mamba", "micromamba", "flatpak"}, Kind: Starter},
	{Names: []string{"snap"}, Kind: Starter, Word: true},

	// What sets variables, and may replace references to them in what follows.
	{Names: []string{"env"}, Kind: Starter, Sets: true, Valued: []string{"-u", "--unset", "-C", "--chdir"}},
	{Names: []string{"cross-env"}, Kind: Starter, Sets: true, Expands: Dollar},
	{Names: []string{"dotenv"}, Kind: Starter, Sets: true, Valued: []string{"-e", "-c", "-p"}},
	{Names: []string{"envmcp", "dotenvx", "env-cmd"}, Kind: Starter, Sets: true, Expands: Dollar,
		Valued: []string{"-f", "--env-file", "-e"}},
	{Names: []string{"direnv"}, Kind: Starter, Expands: Dollar, Operands: 1},
	{Names: []string{"op"}, Kind: Starter, Word: true},
	{Names: []string{"doppler", "infisical"}, Kind: Starter, CodeInShell: true},
	{Names: []string{"aws-vault"}, Kind: Starter},

	// Managers of versions.
	{Names: []string{"mise"}, Kind: Starter, CodeInShell: true},
	{Names: []string{"volta", "fnm"}, Kind: Starter},

	// Other users and computers.
	{Names: []string{"wsl"}, Kind: Starter, Expands: Dollar, Module: []string{"-e", "--exec"},
		Valued: []string{"-d", "--distribution", "-u", "--user", "--cd"}},
	{Names: []string{"sudo", "doas"}, Kind: Starter, Sets: true},
	{Names: []string{"su"}, Kind: Starter, CodeInShell: true},
	{Names: []string{"ssh"}, Kind: Starter, CodeAfter: true, Valued: []string{"-p", "-i", "-o", "-l", "-F", "-J"}},

	// How a program runs.
	{Names: []string{"flock"}, Kind: Starter, CodeInShell: true, Operands: 1},
	{Names: []string{"script"}, Kind: Starter, CodeInShell: true, Word: true},
	{Names: []string{"chroot"}, Kind: Starter, Operands: 1},
	{Names: []string{"nohup", "ionice", "xargs", "setsid", "stdbuf", "chrt", "taskset", "busybox", "unshare",
		"caffeinate", "winpty", "systemd-run", "firejail",
		"bwrap", "strace", "gdb"}, Kind: Starter},
	{Names: []string{"nice", "timeout", "time", "command", "exec", "arch", "start", "watch"}, Kind: Starter, Word: true},
}
