{{$image := printf "Workbench-%s.dmg" .Version -}}
cask "workbench" do
  version "{{.Version}}"
  sha256 "{{.Sum $image}}"

  url "https://github.com/workbench-mcp/workbench-desktop/releases/download/v#{version}/Workbench-#{version}.dmg"
  name "Workbench"
  desc "Gives AI apps their tools, in toolboxes"
  homepage "https://github.com/workbench-mcp/workbench-desktop"

  livecheck do
    url :url
    strategy :github_latest
  end

  depends_on macos: ">= :monterey"

  app "Workbench.app"
  binary "#{appdir}/Workbench.app/Contents/MacOS/workbench-desktop"

  uninstall quit: "io.github.workbench_mcp.WorkbenchDesktop"

  zap trash: "~/Library/Application Support/Workbench"

  caveats <<~EOS
    Before you uninstall it, take it out of your AI apps:
      workbench-desktop uninstall
  EOS
end
