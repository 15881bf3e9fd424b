package runtimes

import "os"

// Offer is a runtime in the version whose checksum the program has.
type Offer struct {
	ID      string // such as "node"
	Name    string // such as "Node.js"
	Version string // such as "24.19.0"
	Size    int64  // in bytes, approximate; the server tells the exact size

	Address  string   // of the archive, relative to Makers
	Makers   string   // the address of the makers
	Mirror   string   // the variable that names a mirror
	Sum      string   // SHA-256 of the archive, in small hexadecimal digits
	Top      string   // the folder in the archive that contains everything; empty if there is none
	Commands []string // files that must exist after unpacking
}

// The offered versions.
const (
	nodeVersion = "24.19.0" // the newest version with long-term support
	uvVersion   = "0.12.5"
)

// archive is what differs between systems.
type archive struct {
	name string // the makers' name of the system
	size int64
	sum  string
}

// Offers returns the runtimes for a system, given as runtime.GOOS and runtime.GOARCH; nil if there are none.
func Offers(goos, goarch string) []Offer {
	node, uv := nodeArchives()[goos+"/"+goarch], uvArchives()[goos+"/"+goarch]
	if node.sum == "" || uv.sum == "" {
		return nil
	}
	end, exe := ".tar.gz", ""
	nodeCommands, uvTop := []string{"bin/node", "bin/npm", "bin/npx"}, "uv-"+uv.name
	if goos == "windows" {
		end, exe = ".zip", ".exe"
		nodeCommands, uvTop = []string{"node.exe", "npm.cmd", "npx.cmd"}, ""
	}
	top := "node-v" + nodeVersion + "-" + node.name
	return []Offer{{
		ID: "node", Name: "Node.js", Version: nodeVersion, Size: node.size, Makers: "https://nodejs.org/dist",
		Mirror:  "WORKBENCH_NODE_MIRROR",
		Address: "v" + nodeVersion + "/" + top + end, Sum: node.sum, Top: top, Commands: nodeCommands,
	}, {
		ID: "uv", Name: "uv", Version: uvVersion, Size: uv.size, Makers: "https://github.com/astral-sh/uv/releases/download",
		Mirror:  "WORKBENCH_UV_MIRROR",
		Address: uvVersion + "/uv-" + uv.name + end, Sum: uv.sum, Top: uvTop, Commands: []string{"uv" + exe, "uvx" + exe},
	}}
}

const mb = 1_000_000

func nodeArchives() map[string]archive {
	return map[string]archive{
		"linux/amd64":   {"linux-x64", 57 * mb, "f625d97cd707df4ff96254916fbc5ff014f09c09effe5a1e0ca8f6d41a8789d4"},
		"linux/arm64":   {"linux-arm64", 57 * mb, "d28c8a5bf0a808f0ed434a1dce8c54ae98f0371c0bd86ac58abc613f73e6643f"},
		"darwin/amd64":  {"darwin-x64", 53 * mb, "d1b5e999db158c62fe8f7267a4476b035d8bd93b1a605bac24a3f0dd166e3316"},
		"darwin/arm64":  {"darwin-arm64", 52 * mb, "8294b7aa9b03997481c06babf1e8b270c859358f27da57a11509afe537ac381d"},
		"windows/amd64": {"win-x64", 38 * mb, "57f71ab3652e797d84acddc79c81cc9ff1c6ddb2a1974cdb83f00fee9bff4c73"},
		"windows/arm64": {"win-arm64", 35 * mb, "8502f4a50b458d4cc38ed8f2001556c2cd239d464920f74017926ccb1e1c157f"},
	}
}

func uvArchives() map[string]archive {
	return map[string]archive{
		"linux/amd64": {"x86_64-unknown-linux-gnu", 25 * mb,
			"68a509da24b06b4223a1c0175fb5eb5bc79342b76cbeff0cfe51ac3f5b17b6b2"},
		"linux/arm64": {"aarch64-unknown-linux-gnu", 25 * mb,
			"9bf43b4d1a07665bf64d4c4e710930b382321a785e0eb10aac07f46471f86a31"},
		"darwin/amd64": {"x86_64-apple-darwin", 25 * mb,
			"b3b2137477cf96c9686ebfb71524614cec780c673fd73e59bce099aef02e70e8"},
		"darwin/arm64": {"aarch64-apple-darwin", 25 * mb,
			"5bb0e5fe008a773c3dbcb97ff79cd89e1241464fe9d2f986d52ad8f1b037bd62"},
		"windows/amd64": {"x86_64-pc-windows-msvc", 25 * mb,
			"4c4d49d8738847d9b71ba319e49a5688c93eac0fe6204b1df24e98528dddf39a"},
		"windows/arm64": {"aarch64-pc-windows-msvc", 25 * mb,
			"724279317fee6e5fa8ad1908e4eba2bbe764ef1ece5b3f4597927b62b1fe562a"},
	}
}

// runs reports whether the archives run on this computer. Those for Linux need glibc, which Alpine, for
// example, does not have.
func runs(goos, goarch string) bool {
	if goos != "linux" {
		return true
	}
	loader := map[string]string{"amd64": "/lib64/ld-linux-x86-64.so.2", "arm64": "/lib/ld-linux-aarch64.so.1"}[goarch]
	_, err := os.Stat(loader)
	return err == nil
}
