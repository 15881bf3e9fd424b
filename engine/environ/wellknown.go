package environ

import (
	"os"
	"path/filepath"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// wellKnown returns the existing folders in which installers put programs. They are for the case that the
// shell cannot be asked, and for folders that its start files do not add. They come last, so that they never
// hide a program that would be found otherwise.
func wellKnown(goos string, env []string) []Folder {
	var found []Folder
	for _, candidate := range candidates(goos, env) {
		if info, err := os.Stat(candidate.Path); err == nil && info.IsDir() {
			found = append(found, candidate)
		}
	}
	return found
}

// candidates returns the folders of [wellKnown], whether they exist or not.
func candidates(goos string, env []string) []Folder {
	places := &places{env: env, user: here(env)}
	if goos == "windows" {
		places.windows()
		return places.folders
	}
	places.versionManagers(goos)
	places.languages(goos)
	places.systems(goos)
	return places.folders
}

// places collects folders.
type places struct {
	env     []string
	user    paths.Folders
	folders []Folder
}

// here returns the folders of the user in an environment.
func here(env []string) paths.Folders {
	return paths.Here(func(name string) string { return process.Getenv(env, name) })
}

// add adds a folder below first. It is skipped if first is not known.
func (p *places) add(source, first string, parts ...string) {
	if filepath.IsAbs(first) {
		p.folders = append(p.folders, Folder{filepath.Join(append([]string{first}, parts...)...), source})
	}
}

// below returns a folder in the user's home; empty if the home is not known.
func (p *places) below(parts ...string) string {
	if p.user.Home == "" {
		return ""
	}
	return filepath.Join(append([]string{p.user.Home}, parts...)...)
}

// root returns the folder that a variable names, else the usual one.
func (p *places) root(name, usual string) string {
	if folder := process.Getenv(p.env, name); filepath.IsAbs(folder) {
		return folder
	}
	return usual
}

// data returns the folder for a program's data according to XDG.
func (p *places) data(name string) string {
	return filepath.Join(p.user.DataHome(), name)
}

func (p *places) versionManagers(goos string) {
	p.add("volta", p.root("VOLTA_HOME", p.below(".volta")), "bin")
	p.add("nvm", nvmDefault(p.root("NVM_DIR", p.below(".nvm"))))
	p.add("nvm", nvmDefault(filepath.Join(p.user.ConfigHome(), "nvm")))
	p.add("nvm", nvmOfFish(p.data("nvm")))
	fnm := p.data("fnm")
	if goos == "darwin" {
		p.add("fnm", p.user.Support(), "fnm", "aliases", "default", "bin")
	}
	p.add("fnm", p.root("FNM_DIR", fnm), "aliases", "default", "bin")
	p.add("fnm", p.below(".fnm"), "aliases", "default", "bin")
	p.add("n", p.root("N_PREFIX", p.below("n")), "bin")
	p.add("nodenv", p.root("NODENV_ROOT", p.below(".nodenv")), "shims")
	p.add("mise", p.root("MISE_DATA_DIR", p.data("mise")), "shims")
	p.add("proto", p.root("PROTO_HOME", p.below(".proto")), "shims")
	p.add("asdf", p.root("ASDF_DATA_DIR", p.below(".asdf")), "shims")
	p.add("asdf", p.root("ASDF_DIR", p.below(".asdf")), "bin") // for the shims of older versions
	p.add("pyenv", p.root("PYENV_ROOT", p.below(".pyenv")), "shims")
	p.add("pyenv", p.root("PYENV_ROOT", p.below(".pyenv")), "bin")
	p.add("rbenv", p.root("RBENV_ROOT", p.below(".rbenv")), "shims")
}

func (p *places) languages(goos string) {
	p.add("uv and pipx", p.below(".local", "bin"))
	p.add("home", p.below("bin"))
	p.add("cargo", p.root("CARGO_HOME", p.below(".cargo")), "bin")
	p.add("bun", p.root("BUN_INSTALL", p.below(".bun")), "bin")
	p.add("deno", p.root("DENO_INSTALL", p.below(".deno")), "bin")
	pnpm := p.data("pnpm")
	if goos == "darwin" {
		pnpm = p.below("Library", "pnpm")
	}
	p.add("pnpm", p.root("PNPM_HOME", pnpm))
	p.add("npm", p.root("NPM_CONFIG_PREFIX", p.below(".npm-global")), "bin")
	p.add("yarn", p.below(".yarn"), "bin")
	p.add("go", p.root("GOBIN", filepath.Join(p.root("GOPATH", p.below("go")), "bin")))
	p.add("dotnet", p.below(".dotnet"), "tools")
	p.add("sdkman", p.root("SDKMAN_DIR", p.below(".sdkman")), "candidates", "java", "current", "bin")
	p.add("nix", p.below(".nix-profile"), "bin")
}

func (p *places) systems(goos string) {
	if goos == "darwin" {
		p.add("homebrew", "/opt/homebrew/bin")
		p.add("homebrew", "/opt/homebrew/sbin")
		p.add("docker", p.below(".docker", "bin"))
		p.add("docker", "/Applications/Docker.app/Contents/Resources/bin")
		p.add("orbstack", p.below(".orbstack", "bin"))
		p.add("macports", "/opt/local/bin")
	} else {
		p.add("homebrew", "/home/linuxbrew/.linuxbrew/bin")
		p.add("homebrew", p.below(".linuxbrew", "bin"))
		p.add("snap", "/snap/bin")
	}
	p.add("rancher", p.below(".rd", "bin"))
	p.add("nix", "/nix/var/nix/profiles/default/bin")
	p.add("nix", "/run/current-system/sw/bin")
	p.add("system", "/usr/local/bin")
}

func (p *places) windows() {
	local, roaming := p.user.LocalAppData(), p.user.AppData()
	programs := p.root("ProgramFiles", `C:\Program Files`)
	p.add("volta", p.root("VOLTA_HOME", ""), "bin")
	p.add("volta", local, "Volta", "bin")
	p.add("nvm", p.root("NVM_SYMLINK", ""))
	p.add("fnm", roaming, "fnm", "aliases", "default")
	p.add("node", programs, "nodejs")
	p.add("npm", roaming, "npm")
	p.add("mise", local, "mise", "shims")
	p.add("uv and pipx", p.below(".local", "bin"))
	p.add("pyenv", p.root("PYENV_ROOT", p.below(".pyenv", "pyenv-win")), "shims")
	p.add("python", local, "Programs", "Python", "Launcher")
	p.add("scoop", p.root("SCOOP", p.below("scoop")), "shims")
	p.add("chocolatey", p.root("ChocolateyInstall", `C:\ProgramData\chocolatey`), "bin")
	p.add("cargo", p.root("CARGO_HOME", p.below(".cargo")), "bin")
	p.add("bun", p.root("BUN_INSTALL", p.below(".bun")), "bin")
	p.add("deno", p.root("DENO_INSTALL", p.below(".deno")), "bin")
	p.add("pnpm", p.root("PNPM_HOME", filepath.Join(local, "pnpm")))
	p.add("docker", programs, "Docker", "Docker", "resources", "bin")
	p.add("git", programs, "Git", "cmd")
	p.add("winget", local, "Microsoft", "WinGet", "Links")
}
