// Makes vscode.json: texts with mistakes in lines that are known, and the lines in which the parser of VS Code's settings sees mistakes.
//   npm install jsonc-parser@3.3.1 && node vscode.js > vscode.json
const parser = require('jsonc-parser');

let seed = 12345;
function random(n) {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return Math.floor(seed / 65536) % n;
}

function text() {
  const server = (i) => `      "server${i}": {
        "command": "npx",
        "args": ["-y", "pkg${i}", "/tmp"],
        "env": {"TOKEN": "abc", "LEVEL": "info"},
        "callTimeout": ${i + 1}
      }`;
  const box = (i) => `    "box${i}": {
      "description": "Some tools", // and a comment
      "mcpServers": {
${server(0)},
${server(1)}
      }
    }`;
  return `{\n  "toolboxes": {\n${box(0)},\n${box(1)}\n  }\n}\n`;
}

const mistakes = {
  'no comma': (line) => line.replace(/,$/, ''),
  'two commas': (line) => line.replace(/,$/, ',,'),
  'a semicolon': (line) => line.replace(/,$/, ';'),
  'no colon': (line) => line.replace('":', '"'),
  'an equals sign': (line) => line.replace('":', '" ='),
  'no closing quote': (line) => line.replace('"npx"', '"npx'),
  'no quotes': (line) => line.replace('"npx"', 'npx'),
  'no quotes around words': (line) => line.replace('"npx"', 'npx -y x'),
  'no quotes around a name': (line) => line.replace('"command"', 'command'),
  'single quotes': (line) => line.replace('"npx"', "'npx'"),
  'a wrong escape': (line) => line.replace('/tmp', 'C:\\x'),
  'no value': (line) => line.replace('"npx"', ''),
  'a number of two parts': (line) => line.replace(/: \d$/, ': 1.'),
};

const cases = [];
while (cases.length < 80) {
  const lines = text().split('\n');
  const wrong = {};
  for (let tries = 0, n = 1 + random(4); tries < 200 && Object.keys(wrong).length < n; tries++) {
    const at = random(lines.length);
    if (Object.keys(wrong).some((line) => Math.abs(line - 1 - at) < 3)) continue;
    const kinds = Object.keys(mistakes);
    const kind = kinds[random(kinds.length)];
    const changed = mistakes[kind](lines[at]);
    if (changed !== lines[at]) {
      lines[at] = changed;
      wrong[at + 1] = kind;
    }
  }
  const whole = lines.join('\n');
  const errors = [];
  parser.parseTree(whole, errors, { allowTrailingComma: true });
  cases.push({ text: whole, wrong, seen: [...new Set(errors.map((e) => whole.slice(0, e.offset).split('\n').length))] });
}
console.log(JSON.stringify(cases, null, 1));
