package review

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// variable judges an environment variable of a server.
func (j *judge) variable(name string) {
	if text := behaviour(name); !text.IsZero() {
		j.warn(text)
	}
}

// effect is how a variable changes programs other than the server itself.
type effect struct {
	text     func(shown string) words.Text
	language string // instead of text: the variable changes the programs of a language or a tool
	names    []string
	prefixes []string
}

// says returns the warning; shown is the variable's name.
func (e effect) says(shown string) words.Text {
	if e.language != "" {
		return words.New("review.language", "Name", shown, "Language", e.language)
	}
	return e.text(shown)
}

// effects are the known variables, in capital letters. A full name is preferred to a prefix.
var effects = []effect{
	{text: searchPath, names: []string{"PATH", "PATHEXT", "COMSPEC", "PSMODULEPATH", "GIT_EXEC_PATH"}},
	{text: shellStart, prefixes: []string{"BASH_FUNC_"},
		names: []string{"BASH_ENV", "ENV", "ZDOTDIR", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "PS4", "KSH_ENV"}},
	{text: certificates, names: []string{"NODE_TLS_REJECT_UNAUTHORIZED", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE",
		"SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
		"GIT_SSL_NO_VERIFY", "GIT_SSL_CAINFO", "PYTHONHTTPSVERIFY", "UV_INSECURE_HOST", "UV_NATIVE_TLS", "DENO_TLS_CA_STORE",
		"DENO_CERT", "AWS_CA_BUNDLE", "PIP_CERT",
		"GIT_SSL_CAPATH", "CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", "HTTPLIB2_CA_CERTS",
		"CARGO_HTTP_CAINFO"}},
	{text: proxy, names: []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "FTP_PROXY"}},
	{text: registry, prefixes: []string{"UV_INDEX_"},
		names: []string{"NPM_CONFIG_REGISTRY", "YARN_REGISTRY", "YARN_NPM_REGISTRY_SERVER", "BUN_CONFIG_REGISTRY",
			"COREPACK_NPM_REGISTRY", "NPM_REGISTRY", "JSR_URL", "GOPROXY", "GONOSUMDB", "GOSUMDB", "UV_INDEX", "UV_INDEX_URL",
			"UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS",
			"UV_PYTHON_INSTALL_MIRROR", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_TRUSTED_HOST",
			"DOCKER_REGISTRY", "HOMEBREW_BOTTLE_DOMAIN"}},
	{text: helper, names: []string{"GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_PROXY_COMMAND",
		"GIT_EXTERNAL_DIFF", "GIT_EDITOR", "GIT_PAGER", "GIT_SEQUENCE_EDITOR",
		"EDITOR", "VISUAL", "PAGER", "MANPAGER", "LESSOPEN", "LESSCLOSE", "BROWSER", "SHELL", "SUDO_ASKPASS", "RSYNC_RSH",
		"CVS_RSH", "PKG_CONFIG", "CC", "CXX"}},
	{text: folders, names: []string{"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME",
		"XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "GIT_DIR", "GIT_TEMPLATE_DIR"}},
	{text: loader, prefixes: []string{"LD_", "DYLD_"},
		names: []string{"GCONV_PATH", "LOCPATH", "OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES", "GTK_MODULES",
			"QT_PLUGIN_PATH"}},
	{language: "PHP", names: []string{"PHPRC", "PHP_INI_SCAN_DIR"}},
	{language: "Java", names: []string{"_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS",
		"CLASSPATH"}},
	{language: ".NET", prefixes: []string{"CORECLR_", "COR_PROFILER", "COR_ENABLE_", "COMPLUS_"},
		names: []string{"DOTNET_STARTUP_HOOKS", "DOTNET_ADDITIONAL_DEPS", "DOTNET_SHARED_STORE"}},
	{language: "Docker", names: []string{"DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "CONTAINER_HOST"}},
	{language: "Node.js", names: []string{"ELECTRON_RUN_AS_NODE", "TS_NODE_COMPILER", "TS_NODE_REQUIRE",
		"TSX_TSCONFIG_PATH", "NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE",
		"NODE_V8_COVERAGE", "NODE_ICU_DATA"}},
	{language: "npm", prefixes: []string{"NPM_CONFIG_", "PNPM_CONFIG_", "YARN_"}},
	{language: "Bun", names: []string{"BUN_OPTIONS", "BUN_INSPECT_PRELOAD"}},
	{language: "Go", names: []string{"GOFLAGS", "GOTOOLCHAIN", "GOENV"}},
	{language: "Rust", prefixes: []string{"CARGO_"}, names: []string{"RUSTC_WRAPPER", "RUSTFLAGS"}},
	{language: "pip", prefixes: []string{"PIP_"}},
	{language: "Python", prefixes: []string{"PYTHON"}},
	{language: "Perl", prefixes: []string{"PERL5", "PERLLIB", "PERL_"}},
	{language: "Ruby", prefixes: []string{"RUBY", "GEM_", "BUNDLE_"}},
	{language: "Lua", prefixes: []string{"LUA_"}},
	{language: "R", prefixes: []string{"R_PROFILE", "R_ENVIRON", "R_LIBS"}},
	{language: "Git", prefixes: []string{"GIT_CONFIG"}},
}

func searchPath(shown string) words.Text   { return words.New("review.search_path", "Name", shown) }
func shellStart(shown string) words.Text   { return words.New("review.shell_start", "Name", shown) }
func certificates(shown string) words.Text { return words.New("review.certificates", "Name", shown) }
func proxy(shown string) words.Text        { return words.New("review.proxy", "Name", shown) }
func registry(shown string) words.Text     { return words.New("review.registry", "Name", shown) }
func helper(shown string) words.Text       { return words.New("review.helper", "Name", shown) }
func folders(shown string) words.Text      { return words.New("review.folders", "Name", shown) }
func loader(shown string) words.Text       { return words.New("review.loader", "Name", shown) }

// behaviour returns how a variable changes programs other than the server itself; the zero text if it does
// not. Case is ignored, since systems and programs differ in whether it matters.
func behaviour(name string) words.Text {
	name = strings.TrimSpace(name)
	upper := strings.ToUpper(name)
	shown := Visible(name).String()
	for _, e := range effects {
		if slices.Contains(e.names, upper) {
			return e.says(shown)
		}
	}
	for _, e := range effects {
		if !slices.ContainsFunc(e.prefixes, func(prefix string) bool { return strings.HasPrefix(upper, prefix) }) {
			continue
		}
		switch {
		case strings.HasPrefix(upper, "UV_INDEX_") &&
			(strings.HasSuffix(upper, "_USERNAME") || strings.HasSuffix(upper, "_PASSWORD")):
			return words.Text{}
		case strings.Contains(upper, "REGISTRY") && slices.Contains(e.prefixes, "YARN_"):
			return registry(shown)
		}
		return e.says(shown)
	}
	return words.Text{}
}
