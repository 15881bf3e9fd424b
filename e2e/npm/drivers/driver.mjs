// What both drivers share: a loop that reads one step as a line of JSON from stdin, performs it with the
// client library, and answers with one line of JSON on stdout: {"result": …} or {"error": {…}}.
//
// A driver only hands over what the library says; all judging is done by the Go tests.
import { createInterface } from "node:readline";
import { Answerer } from "./capable.mjs";

/**
 * Runs steps until stdin ends.
 *
 * library: { connect(step, seen, answerer) → {client, transport}, callTool(client, params, options), subscribe(client, uri) },
 * and where the library has tasks callAsTask(client, params, until) and tasks(client, method, id).
 * seen(notification) records a notification from the server; answerer answers its requests.
 */
export async function drive(library) {
  let client, transport;
  const notifications = [];
  const answerer = new Answerer();
  let wake = () => {};
  let stderr = "";
  const seen = (notification) => {
    notifications.push(notification);
    wake();
  };
  const count = ({ method, about }) => notifications.filter((n) => n.method === method && (!about || JSON.stringify(n).includes(about))).length;

  const steps = {
    // Starts the server of step.command and step.args, with step.env and nothing else of our environment
    // but what the library hands to every server.
    async connect(step) {
      ({ client, transport } = await library.connect(step, seen, answerer));
      transport.stderr?.on("data", (chunk) => (stderr = (stderr + chunk).slice(-100_000)));
      const opened = client.connect(transport);
      await opened;
      return { pid: transport.pid };
    },
    async hello() {
      return {
        instructions: client.getInstructions() ?? null,
        server: client.getServerVersion() ?? null,
        capabilities: client.getServerCapabilities() ?? null,
        version: client.getNegotiatedProtocolVersion?.() ?? null,
      };
    },
    async listTools() {
      return (await client.listTools()).tools;
    },
    // Calls a tool. step.progress asks for progress notifications and returns them;
    // step.cancelAfter cancels the call when that many of them have arrived.
    async callTool(step) {
      const progress = [];
      const abort = new AbortController();
      const options = { timeout: step.timeoutMs ?? 60_000, signal: abort.signal, resetTimeoutOnProgress: true };
      if (step.progress || step.cancelAfter) {
        options.onprogress = (p) => {
          progress.push(p);
          if (progress.length === step.cancelAfter) abort.abort("the test cancels");
        };
      }
      const params = { name: step.name };
      if (step.meta) params._meta = step.meta;
      if (step.arguments != null) params.arguments = step.arguments;
      try {
        const result = await library.callTool(client, params, options);
        return step.progress ? { result, progress } : result;
      } catch (err) {
        if (abort.signal.aborted) return { cancelled: true, progress };
        throw err;
      }
    },
    // Several calls at once; the answers come in the order of the calls.
    async callTools(step) {
      return Promise.all(step.calls.map((call) => steps.callTool(call)));
    },
    // Calls any method of the client library.
    async client(step) {
      return client[step.method](...(step.args ?? []));
    },
    async subscribe(step) {
      return library.subscribe(client, step.uri);
    },
    async callAsTask(step) {
      return library.callAsTask(client, { name: step.name, arguments: step.arguments }, step.until);
    },
    async tasks(step) {
      return library.tasks(client, step.method, step.id);
    },
    // What the server has asked of the client since the last look.
    async asked() {
      return answerer.asked.splice(0);
    },
    async setRoots(step) {
      answerer.roots = step.roots;
      return client.sendRootsListChanged();
    },
    // Performs step.of, which must fail, and returns its error.
    async failure(step) {
      try {
        await steps[step.of.op](step.of);
      } catch (err) {
        return { code: err?.code ?? null, data: err?.data ?? null };
      }
      throw new Error("there was no error");
    },
    // Waits until step.count notifications of step.method, in which step.about stands, have arrived since connect.
    async waitNotification(step) {
      const deadline = Date.now() + (step.timeoutMs ?? 30_000);
      while (count(step) < step.count) {
        const left = deadline - Date.now();
        if (left <= 0) throw new Error(`${count(step)} of ${step.count} ${step.method} arrived in time`);
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      return count(step);
    },
    async notifications() {
      return notifications;
    },
    async stderr() {
      return stderr;
    },
    async close() {
      await client.close();
      return {};
    },
  };

  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() === "") continue;
    let answer;
    try {
      const step = JSON.parse(line);
      if (!Object.hasOwn(steps, step.op)) throw new Error(`there is no step ${step.op}`);
      answer = { result: (await steps[step.op](step)) ?? null };
    } catch (err) {
      answer = { error: { message: String(err?.message ?? err), code: err?.code ?? null, data: err?.data ?? null, stderr } };
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
  process.exit(0);
}
