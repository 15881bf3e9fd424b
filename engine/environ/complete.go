package environ

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// Report says how an environment was completed. It has names and folders, but no values of variables, which
// may be secret.
type Report struct {
	// Shell is the path of the shell that was asked; empty if there is none to ask, as on Windows.
	Shell string

	// Problem is why the shell did not answer, as part of a sentence; nil if it did, or if no shell is asked.
	Problem error

	// Folders are the folders that were added to PATH, in its order.
	Folders []Folder

	// Variables are the names of the other variables that were added.
	Variables []string
}

// Folder is a folder of PATH with its source.
type Folder struct {
	Path   string
	Source string // "shell", "registry", "workbench", or the name of an installer, such as "nvm"
}

// Sources of a [Folder] other than installers.
const (
	SourceShell    = "shell"
	SourceRegistry = "registry"
)

// complete is [Complete] with a time limit for the shell.
func complete(ctx context.Context, base []string, limit time.Duration) ([]string, Report) {
	said, report := askSystem(ctx, base, limit)

	// Folders that depend on an installer's variable, such as NVM_DIR, need its value in the shell.
	env := slices.Clone(base)
	for _, v := range said {
		if imported(v.name) && process.Getenv(env, v.name) == "" && !isSet(env, v.name) {
			env = append(env, v.name+"="+v.value)
			report.Variables = append(report.Variables, v.name)
		}
	}
	source := SourceShell
	if runtime.GOOS == "windows" {
		source = SourceRegistry
	}
	had := splitPath(process.Getenv(base, "PATH"))
	told := pathOf(said)
	list := mergePath(had, told)
	for _, folder := range list {
		if !contains(had, folder) {
			report.Folders = append(report.Folders, Folder{folder, source})
		}
	}
	for _, known := range wellKnown(runtime.GOOS, env) {
		if !contains(list, known.Path) {
			list = append(list, known.Path)
			report.Folders = append(report.Folders, known)
		}
	}
	if len(report.Folders) == 0 && slices.Equal(list, had) {
		return env, report
	}
	return setPath(env, list), report
}

// variable is one of an environment.
type variable struct{ name, value string }

// pathOf is the PATH among variables.
func pathOf(variables []variable) []string {
	for _, v := range variables {
		if sameName(v.name, "PATH") {
			return splitPath(v.value)
		}
	}
	return nil
}

// isSet reports whether an environment has a variable. An empty one counts: it was set on purpose.
func isSet(env []string, name string) bool {
	return slices.ContainsFunc(env, func(entry string) bool {
		key, _, ok := strings.Cut(entry, "=")
		return ok && sameName(key, name)
	})
}

// sameName compares names of variables as the system does.
func sameName(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// imported reports whether a variable that only the shell sets is added. These are variables that programs
// need to find installed software, to reach the network, and to use the user's language. All others are left
// out, above all keys and tokens: an AI app that passes on a bare environment keeps them from servers on
// purpose (docs/adr/031-environment.md).
func imported(name string) bool {
	switch name {
	// Where installers have put programs, and where those keep their downloads.
	case "NVM_DIR", "NVM_BIN", "NVM_INC", "NVM_NODEJS_ORG_MIRROR", "FNM_DIR", "FNM_MULTISHELL_PATH",
		"FNM_VERSION_FILE_STRATEGY", "FNM_NODE_DIST_MIRROR",
		"FNM_ARCH", "FNM_LOGLEVEL", "FNM_RESOLVE_ENGINES", "FNM_COREPACK_ENABLED", "VOLTA_HOME", "N_PREFIX", "COREPACK_HOME",
		"ASDF_DIR", "ASDF_DATA_DIR", "ASDF_CONFIG_FILE", "ASDF_DEFAULT_TOOL_VERSIONS_FILENAME", "MISE_DATA_DIR",
		"MISE_CONFIG_DIR", "MISE_CACHE_DIR",
		"MISE_STATE_DIR", "MISE_GLOBAL_CONFIG_FILE", "MISE_TRUSTED_CONFIG_PATHS", "PYENV_ROOT", "PYENV_VERSION",
		"RBENV_ROOT", "RBENV_VERSION", "NODENV_ROOT",
		"NODENV_VERSION", "GOENV_ROOT", "GOENV_VERSION", "SDKMAN_DIR", "JAVA_HOME", "DOTNET_ROOT",
		"CARGO_HOME", "RUSTUP_HOME", "GOPATH", "GOBIN", "BUN_INSTALL", "DENO_DIR", "DENO_INSTALL", "PNPM_HOME",
		"NPM_CONFIG_PREFIX",
		"npm_config_prefix", "NPM_CONFIG_USERCONFIG", "npm_config_userconfig", "NPM_CONFIG_CACHE", "npm_config_cache",
		"UV_PYTHON", "UV_PYTHON_PREFERENCE", "UV_PYTHON_DOWNLOADS", "UV_PYTHON_CACHE_DIR", "UV_LINK_MODE", "UV_CONFIG_FILE",
		"UV_CACHE_DIR", "UV_TOOL_DIR", "UV_TOOL_BIN_DIR", "UV_PYTHON_INSTALL_DIR",
		"PIPX_HOME", "PIPX_BIN_DIR", "HOMEBREW_PREFIX", "HOMEBREW_CELLAR", "HOMEBREW_REPOSITORY", "CONDA_PREFIX",
		"MAMBA_ROOT_PREFIX", "NIX_PROFILES":
		return true
	// Where programs keep their files.
	case "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR":
		return true
	// How to reach the network. A proxy's address may contain a password, but without it the network cannot
	// be reached at all.
	case "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
		"NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
		"GIT_SSL_CAINFO", "GIT_SSL_CAPATH",
		"AWS_CA_BUNDLE", "CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", "HTTPLIB2_CA_CERTS",
		"PIP_CERT", "CARGO_HTTP_CAINFO",
		"DENO_CERT", "DENO_TLS_CA_STORE", "NIX_SSL_CERT_FILE", "NPM_CONFIG_CAFILE", "npm_config_cafile",
		"NPM_CONFIG_PROXY", "npm_config_proxy", "NPM_CONFIG_HTTPS_PROXY", "npm_config_https_proxy", "NPM_CONFIG_NOPROXY",
		"npm_config_noproxy",
		"UV_NATIVE_TLS", "UV_SYSTEM_CERTS", "UV_HTTP_TIMEOUT", "UV_OFFLINE", "NPM_CONFIG_REGISTRY", "npm_config_registry",
		"UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL", "GOPROXY":
		return true
	// Which Docker to use: Colima, Rancher, rootless and remote Dockers differ only in these.
	case "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY", "CONTAINER_HOST":
		return true
	// The language and the encoding of programs' output: without them, many programs use ASCII.
	case "PYTHONUTF8", "PYTHONIOENCODING", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_TIME",
		"LC_NUMERIC", "LC_COLLATE", "LC_MONETARY", "TZ":
		return true
	}
	return false
}
