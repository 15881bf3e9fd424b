// Drives a server with @modelcontextprotocol/sdk 1.x.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTaskStore } from "@modelcontextprotocol/sdk/experimental/tasks";
import { CallToolResultSchema, CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { capabilities, tasks } from "./capable.mjs";
import { drive } from "./driver.mjs";

await drive({
  async connect(step, seen, answerer) {
    const client = new Client(
      { name: step.clientName ?? "workbench-e2e", version: "1.0.0" },
      step.capable ? { capabilities: { ...capabilities, tasks }, taskStore: new InMemoryTaskStore() } : { capabilities: {} },
    );
    if (step.capable) {
      client.setRequestHandler(ListRootsRequestSchema, (request) => answerer.answer(request));
      for (const schema of [CreateMessageRequestSchema, ElicitRequestSchema]) {
        client.setRequestHandler(schema, async (request, extra) => {
          const result = answerer.answer(request);
          if (!request.params.task) return result;
          const task = await extra.taskStore.createTask({ ttl: request.params.task.ttl });
          setImmediate(() => extra.taskStore.storeTaskResult(task.taskId, "completed", result));
          return { task };
        });
      }
    }
    client.fallbackNotificationHandler = async (notification) => seen(notification);
    const transport = step.url
      ? new StreamableHTTPClientTransport(new URL(step.url), { requestInit: { headers: { Authorization: `Bearer ${step.token}` } } })
      : new StdioClientTransport({ command: step.command, args: step.args, env: step.env, stderr: "pipe" });
    return { client, transport };
  },
  callTool: (client, params, options) => client.callTool(params, undefined, options),
  subscribe: (client, uri) => client.subscribeResource({ uri }),
  // Calls a tool as a task and returns all that comes of it, or what comes until a message of a type.
  async callAsTask(client, params, until) {
    const messages = [];
    for await (const message of client.experimental.tasks.callToolStream(params, CallToolResultSchema, { task: { ttl: 60_000 } })) {
      messages.push(message);
      if (message.type === until) break;
    }
    return messages;
  },
  tasks: (client, method, id) => client.experimental.tasks[method](id),
});
