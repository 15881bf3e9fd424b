// Starts a server and writes down every line that its client sends to it:
//
//   node record.mjs FILE COMMAND ARGS…
//
// FILE grows by one line for every message; it does not exist before the first start.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [file, command, ...args] = process.argv.slice(2);
appendFileSync(file, "");
const server = spawn(command, args, { stdio: ["pipe", "inherit", "inherit"] });
server.on("exit", (code) => process.exit(code ?? 1));
server.stdin.on("error", () => {});
const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
  appendFileSync(file, line + "\n");
  server.stdin.write(line + "\n");
});
lines.on("close", () => server.stdin.end());
