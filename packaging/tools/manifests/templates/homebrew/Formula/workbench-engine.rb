{{$macArm := printf "workbench-engine-%s-macos-arm64.tar.gz" .Version -}}
{{$macIntel := printf "workbench-engine-%s-macos-amd64.tar.gz" .Version -}}
{{$linuxArm := printf "workbench-engine-%s-linux-arm64.tar.gz" .Version -}}
{{$linuxIntel := printf "workbench-engine-%s-linux-amd64.tar.gz" .Version -}}
class WorkbenchEngine < Formula
  desc "Gives AI apps their tools, in toolboxes; without the window"
  homepage "https://github.com/workbench-mcp/workbench-desktop"
  version "{{.Version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{.URL $macArm}}"
      sha256 "{{.Sum $macArm}}"
    end
    on_intel do
      url "{{.URL $macIntel}}"
      sha256 "{{.Sum $macIntel}}"
    end
  end

  on_linux do
    on_arm do
      url "{{.URL $linuxArm}}"
      sha256 "{{.Sum $linuxArm}}"
    end
    on_intel do
      url "{{.URL $linuxIntel}}"
      sha256 "{{.Sum $linuxIntel}}"
    end
  end

  def install
    bin.install "workbench-engine"
  end

  def caveats
    <<~EOS
      Before you uninstall it, take it out of your AI apps:
        workbench-engine uninstall
    EOS
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/workbench-engine version")
  end
end
