// Drives a server with @modelcontextprotocol/sdk 1.x.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { drive } from "./driver.mjs";

await drive({
  async connect(step, seen) {
    const client = new Client({ name: step.clientName ?? "workbench-e2e", version: "1.0.0" }, { capabilities: {} });
    client.fallbackNotificationHandler = async (notification) => seen(notification);
    const transport = new StdioClientTransport({ command: step.command, args: step.args, env: step.env, stderr: "pipe" });
    return { client, transport };
  },
  callTool: (client, params, options) => client.callTool(params, undefined, options),
});
