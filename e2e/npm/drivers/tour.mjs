// Shows the engine at work: an MCP client starts the given command, reads the instructions, opens the
// toolbox "demo" of docs/example/workbench-config.json, and uses tools of two servers.
//
//   node tour.mjs workbench-desktop stdio
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
if (!command) {
  console.error("usage: node tour.mjs command [argument ...]");
  process.exit(2);
}

const heading = (text) => console.log(`\n── ${text}`);
const firstText = (result) => result.content.find((item) => item.type === "text")?.text ?? "";

// The example by its own path: the user's WORKBENCH_CONFIG has no toolbox "demo". The memory is a new one, so that every
// tour begins without what the one before has left; the example's server is told of it in a copy of the example.
const original = fileURLToPath(new URL("../../../docs/example/workbench-config.json", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "workbench-tour-"));
const example = join(scratch, "workbench-config.json");
const env = JSON.stringify({ MEMORY_FILE_PATH: join(scratch, "memory.jsonl") });
writeFileSync(example, readFileSync(original, "utf8").replace('server-memory"],', (found) => `${found} "env": ${env},`));
const transport = new StdioClientTransport({
  command,
  args: [...args, "--config", example, "--log-level", "warn"],
  env: getDefaultEnvironment(),
});
const client = new Client({ name: "tour", version: "1.0.0" });

async function use(server, tool, toolArguments) {
  console.log(`use_tool demo › ${server} › ${tool} ${JSON.stringify(toolArguments)}`);
  const result = await client.callTool({
    name: "use_tool",
    arguments: { tool: { toolbox: "demo", server, tool }, arguments: toolArguments },
  });
  if (result.isError) throw new Error(firstText(result));
  console.log(`  ${firstText(result).replaceAll("\n", "\n  ")}`);
}

try {
  heading("the client connects; the engine has started no server yet");
  await client.connect(transport);
  console.log(client.getInstructions());

  heading('the model opens the toolbox "demo" (npx may have to install its servers first)');
  const opened = await client.callTool({ name: "open_toolbox", arguments: { toolbox_name: "demo" } }, undefined, { timeout: 60_000 });
  if (opened.isError) throw new Error(firstText(opened));
  const toolbox = JSON.parse(firstText(opened));
  for (const problem of toolbox._errors ?? []) console.log(problem);
  for (const name of toolbox._pending ?? []) console.log(`still starting: ${name}`);
  const byServer = {};
  for (const tool of toolbox.tools) (byServer[tool.source_server] ??= []).push(tool);
  for (const [server, tools] of Object.entries(byServer)) {
    console.log(`${server}: ${tools.map((tool) => tool.name).join(", ")}`);
  }
  console.log(`${toolbox.servers_connected} servers connected, ${toolbox.tools.length} tools`);
  if (toolbox.servers_connected < 2) throw new Error("not all servers of the toolbox could be connected");

  heading("and uses its tools");
  await use("everything", "get-sum", { a: 2, b: 3 });
  await use("memory", "create_entities", { entities: [{ name: "Workbench", entityType: "program", observations: ["groups servers into toolboxes"] }] });
  await use("memory", "search_nodes", { query: "toolboxes" });
} catch (error) {
  console.error(`\nThe tour failed: ${error.message}`);
  process.exitCode = 1;
} finally {
  await client.close();
  rmSync(scratch, { recursive: true, force: true });
}
