// The answers of the program with the kernels that compute as WebAssembly does: packed, without fused multiply-add.
const { spawnSync } = require("node:child_process");

// What the program prints. Throws an Error with its last line if it fails.
function run(program, words, input = "") {
  const env = { ...process.env, HEADLIGHT_INSTRUCTION_SET: "SSE4" };
  const done = spawnSync(program, words, { input, env, maxBuffer: 2 ** 30 });
  if (done.error) throw done.error;
  if (done.status !== 0 && done.stdout.length === 0) throw new Error(done.stderr.toString().trimEnd().split("\n").at(-1));
  return done.stdout.toString().trimEnd();
}

class Native {
  constructor(program) { this.program = program; }

  version() { return run(this.program, ["--version"]); }

  #run(command, folder, words, input) {
    return run(this.program, [command, "-m", folder, "--kernels", "packed", ...words], input);
  }

  // The documents of `headlight attention` for { text, pair }s, which must fit in a line. Of a text that cannot be
  // scored it has an error.
  attentions(folder, texts, words = []) {
    const documents = (given, input) => [JSON.parse(this.#run("attention", folder, ["--format", "json", ...words, ...given],
                                                              input))].flat();
    const lines = texts.filter(({ pair }) => pair === undefined);
    const ofLines = lines.length === 0 ? [] : documents([], lines.map(({ text }) => `${text}\n`).join(""));
    return texts.map(({ text, pair }) => (pair === undefined ? ofLines.shift() : documents([text, "--pair", pair])[0]));
  }

  entropy(folder, text, layer, head) {
    const { heads } = JSON.parse(this.#run("attention", folder, ["--stats", "--format", "json", text]));
    return heads.find((one) => one.layer === layer && one.head === head).entropy;
  }

  init(config, folder) { run(this.program, ["init", config, "-o", folder, "--force"]); }

  // A row for each { text, pair } of any characters.
  #rows(command, folder, texts, words) {
    const input = texts.map((text) => `${JSON.stringify(text)}\n`).join("");
    const pair = texts.some((text) => text.pair !== undefined) ? ["--pair-text", "pair"] : [];
    return this.#run(command, folder, ["--input-format", "jsonl", ...pair, ...words], input).split("\n").map(JSON.parse);
  }

  predictions(folder, texts, words = []) {
    return this.#rows("batch", folder, texts, ["-", "--logits", "--probabilities", "--row-errors-ok", ...words]);
  }

  explanations(folder, texts, words = []) { return this.#rows("explain", folder, texts, ["--input", "-", ...words]); }

  // The line that it says of a folder that it cannot load; null if it can.
  refusal(folder) {
    try {
      this.#run("classify", folder, ["a text"]);
    } catch (error) {
      return error.message.replace(/^headlight: /, "");
    }
    return null;
  }
}

module.exports = { Native };
