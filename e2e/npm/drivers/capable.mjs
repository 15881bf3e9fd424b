// A client that can do everything that a server may ask of one, in the words of both libraries.

export const capabilities = {
  roots: { listChanged: true },
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
};

// Only version 1.x of the library has tasks.
export const tasks = { list: {}, cancel: {}, requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } };

/** Answers what a server asks, and keeps what it was asked: {method, params} in asked. */
export class Answerer {
  asked = [];
  roots = [{ uri: "file:///one", name: "One" }];

  answer({ method, params }) {
    this.asked.push({ method, params: params ?? {} });
    switch (method) {
      case "roots/list":
        return { roots: this.roots };
      case "sampling/createMessage":
        return { model: "none", role: "assistant", content: { type: "text", text: "Grüße" }, stopReason: "endTurn" };
      case "elicitation/create":
        return params.mode === "url" ? { action: "accept" } : { action: "accept", content: filled(params.requestedSchema) };
    }
    throw new Error(`the test does not answer ${method}`);
  }
}

/** Fills in what a form requires: the first choice, or the name of the field. */
function filled(schema) {
  const content = {};
  for (const name of schema.required ?? []) {
    const field = schema.properties[name];
    content[name] = field.oneOf?.[0].const ?? field.enum?.[0] ?? name;
  }
  return content;
}
