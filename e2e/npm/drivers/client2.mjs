// Drives a server with @modelcontextprotocol/client 2.x. The step "connect" takes "mode", the library's version
// negotiation: "legacy" (initialize), "auto" (server/discover first) or {"pin": "2026-07-28"}.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { drive } from "./driver.mjs";

await drive({
  async connect(step, seen) {
    const client = new Client(
      { name: step.clientName ?? "workbench-e2e", version: "1.0.0" },
      {
        capabilities: {},
        versionNegotiation: { mode: step.mode ?? "legacy" },
        // In the era of server/discover a client hears of new tools only when it asks to.
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 0, onChanged: () => seen({ method: "notifications/tools/list_changed" }) },
        },
      },
    );
    client.fallbackNotificationHandler = async (notification) => seen(notification);
    const transport = new StdioClientTransport({ command: step.command, args: step.args, env: step.env, stderr: "pipe" });
    return { client, transport };
  },
  callTool: (client, params, options) => client.callTool(params, options),
});
