package review

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// variable judges a variable of the environment that a server gets.
func (j *judge) variable(name string) {
	if text := behaviour(name); !text.IsZero() {
		j.warn(text)
	}
}

// behaviour says what a variable changes of programs other than the server itself, or nothing. Systems and programs differ in whether case
// matters, so it never does.
func behaviour(name string) words.Text {
	name = strings.TrimSpace(name)
	upper := strings.ToUpper(name)
	shown := Visible(name).String()
	begins := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(upper, prefix) })
	}
	language := func(name string) words.Text { return words.New("review.language", "Name", shown, "Language", name) }
	switch upper {
	case "PATH", "PATHEXT", "COMSPEC", "PSMODULEPATH", "GIT_EXEC_PATH":
		return words.New("review.search_path", "Name", shown)
	case "BASH_ENV", "ENV", "ZDOTDIR", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "PS4", "KSH_ENV":
		return words.New("review.shell_start", "Name", shown)
	case "NODE_TLS_REJECT_UNAUTHORIZED", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_NO_VERIFY", "GIT_SSL_CAINFO",
		"PYTHONHTTPSVERIFY", "UV_INSECURE_HOST", "UV_NATIVE_TLS", "DENO_TLS_CA_STORE", "DENO_CERT", "AWS_CA_BUNDLE":
		return words.New("review.certificates", "Name", shown)
	case "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "FTP_PROXY":
		return words.New("review.proxy", "Name", shown)
	case "NPM_CONFIG_REGISTRY", "YARN_REGISTRY", "YARN_NPM_REGISTRY_SERVER", "BUN_CONFIG_REGISTRY", "COREPACK_NPM_REGISTRY", "NPM_REGISTRY", "JSR_URL", "GOPROXY", "GONOSUMDB", "GOSUMDB",
		"UV_INDEX", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_PYTHON_INSTALL_MIRROR", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS",
		"PIP_TRUSTED_HOST", "DOCKER_REGISTRY", "HOMEBREW_BOTTLE_DOMAIN":
		return words.New("review.registry", "Name", shown)
	case "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_EDITOR", "GIT_PAGER", "GIT_SEQUENCE_EDITOR", "EDITOR", "VISUAL", "PAGER",
		"MANPAGER", "LESSOPEN", "LESSCLOSE", "BROWSER", "SHELL", "SUDO_ASKPASS", "RSYNC_RSH", "CVS_RSH", "PKG_CONFIG", "CC", "CXX":
		return words.New("review.helper", "Name", shown)
	case "HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "GIT_DIR", "GIT_TEMPLATE_DIR":
		return words.New("review.folders", "Name", shown)
	case "PHPRC", "PHP_INI_SCAN_DIR":
		return language("PHP")
	case "_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS", "CLASSPATH":
		return language("Java")
	case "DOTNET_STARTUP_HOOKS", "DOTNET_ADDITIONAL_DEPS", "DOTNET_SHARED_STORE":
		return language(".NET")
	case "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "CONTAINER_HOST":
		return language("Docker")
	case "ELECTRON_RUN_AS_NODE", "TS_NODE_COMPILER", "TS_NODE_REQUIRE", "TSX_TSCONFIG_PATH":
		return language("Node.js")
	case "BUN_OPTIONS", "BUN_INSPECT_PRELOAD":
		return language("Bun")
	case "GOFLAGS", "GOTOOLCHAIN", "GOENV":
		return language("Go")
	case "RUSTC_WRAPPER", "RUSTFLAGS":
		return language("Rust")
	case "GCONV_PATH", "LOCPATH", "OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES", "GTK_MODULES", "QT_PLUGIN_PATH":
		return words.New("review.loader", "Name", shown)
	}
	switch {
	case begins("LD_", "DYLD_"):
		return words.New("review.loader", "Name", shown)
	case begins("NODE_"):
		switch upper {
		case "NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE", "NODE_V8_COVERAGE", "NODE_ICU_DATA":
			return language("Node.js")
		}
	case begins("NPM_CONFIG_", "PNPM_CONFIG_", "YARN_"):
		if strings.Contains(upper, "REGISTRY") {
			return words.New("review.registry", "Name", shown)
		}
		return language("npm")
	case begins("PIP_"):
		return language("pip")
	case begins("UV_INDEX_"):
		if strings.HasSuffix(upper, "_USERNAME") || strings.HasSuffix(upper, "_PASSWORD") {
			return words.Text{}
		}
		return words.New("review.registry", "Name", shown)
	case begins("CARGO_"):
		return language("Rust")
	case begins("PYTHON"):
		return language("Python")
	case begins("PERL5", "PERLLIB", "PERL_"):
		return language("Perl")
	case begins("RUBY", "GEM_", "BUNDLE_"):
		return language("Ruby")
	case begins("LUA_"):
		return language("Lua")
	case begins("R_PROFILE", "R_ENVIRON", "R_LIBS"):
		return language("R")
	case begins("CORECLR_", "COR_PROFILER", "COR_ENABLE_", "COMPLUS_"):
		return language(".NET")
	case begins("GIT_CONFIG"):
		return language("Git")
	case begins("BASH_FUNC_"):
		return words.New("review.shell_start", "Name", shown)
	}
	return words.Text{}
}
