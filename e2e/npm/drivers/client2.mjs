// Drives a server with @modelcontextprotocol/client 2.x. The step "connect" takes "mode", the library's version
// negotiation: "legacy" (initialize), "auto" (server/discover first) or {"pin": "2026-07-28"}.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { capabilities } from "./capable.mjs";
import { drive } from "./driver.mjs";

await drive({
  async connect(step, seen, answerer) {
    const client = new Client(
      { name: step.clientName ?? "workbench-e2e", version: "1.0.0" },
      {
        capabilities: step.capable ? capabilities : {},
        versionNegotiation: { mode: step.mode ?? "legacy" },
        // In the era of server/discover a client hears of new tools only when it asks to.
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 0, onChanged: () => seen({ method: "notifications/tools/list_changed" }) },
        },
      },
    );
    if (step.capable) {
      for (const method of ["roots/list", "sampling/createMessage", "elicitation/create"]) {
        client.setRequestHandler(method, (request) => answerer.answer(request));
      }
    }
    client.fallbackNotificationHandler = async (notification) => seen(notification);
    const transport = step.url
      ? new StreamableHTTPClientTransport(new URL(step.url), { requestInit: { headers: { Authorization: `Bearer ${step.token}` } } })
      : new StdioClientTransport({ command: step.command, args: step.args, env: step.env, stderr: "pipe" });
    return { client, transport };
  },
  callTool: (client, params, options) => client.callTool(params, options),
  // In the era of server/discover one stream carries what a client wants to be told of.
  subscribe: (client, uri) =>
    client.getProtocolEra() === "modern" ? client.listen({ resourceSubscriptions: [uri] }).then((s) => s.honoredFilter) : client.subscribeResource({ uri }),
});
