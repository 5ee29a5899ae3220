// Broken models: the module says the line of the program, and a good model loads afterwards.
const fs = require("node:fs");
const path = require("node:path");
const { compareAttentions } = require("./beside_program.js");
const { same } = require("./compare.js");
const { lineOf, native, sentiment, test, withFolder, withModel } = require("./context.js");
const { filesOf } = require("./models.js");

// The sentiment model with other files; null deletes one.
function changed(changes) {
  const files = filesOf(sentiment);
  for (const [name, content] of Object.entries(changes)) {
    if (content === null) files.delete(name); else files.set(name, content);
  }
  return files;
}
const text = (string) => new TextEncoder().encode(string);
const json = (name, change) => {
  const document = JSON.parse(fs.readFileSync(path.join(sentiment, name)));
  change(document);
  return text(JSON.stringify(document));
};
const weights = new Uint8Array(fs.readFileSync(path.join(sentiment, "model.safetensors")));
const header = (string) => Buffer.concat([Buffer.from(BigUint64Array.of(BigInt(string.length)).buffer), Buffer.from(string)]);

const withPattern = (Regex) => changed({
  "tokenizer.json": json("tokenizer.json", (tokenizer) => {
    tokenizer.pre_tokenizer = { type: "Split", pattern: { Regex }, behavior: "Isolated", invert: false };
  }),
});

const broken = {
  "no files": () => new Map(),
  "no config": () => changed({ "config.json": null }),
  "no weights": () => changed({ "model.safetensors": null }),
  "no vocabulary": () => changed({ "tokenizer.json": null, "vocab.txt": null }),
  "a config that is no JSON": () => changed({ "config.json": text("{\"hidden_size\": ") }),
  "an empty config": () => changed({ "config.json": text("") }),
  "a deep config": () => changed({ "config.json": text("[".repeat(1000000)) }),
  "a config of another shape": () => changed({ "config.json": json("config.json", (config) => { config.hidden_size = 7; }) }),
  "a huge config": () => changed({ "config.json": json("config.json", (config) => { config.hidden_size = 2 ** 32; }) }),
  "bytes that are no UTF-8": () => changed({ "config.json": Uint8Array.of(0x7b, 0xff, 0x7d) }),
  "a cut file of weights": () => changed({ "model.safetensors": weights.subarray(0, weights.length / 2) }),
  "an empty file of weights": () => changed({ "model.safetensors": new Uint8Array(0) }),
  "a header that is too long": () => changed({ "model.safetensors": new Uint8Array(100).fill(255) }),
  "a header that is no JSON": () => changed({ "model.safetensors": header("{{}") }),
  "an unknown pre-tokenizer": () => changed({
    "tokenizer.json": json("tokenizer.json", (tokenizer) => { tokenizer.pre_tokenizer = { type: "None\nsuch" }; }),
  }),
  "a pattern that is none": () => withPattern("(a"),
  "a pattern that is too deep": () => withPattern("(".repeat(10000)),
  "a calibration that is none": () => changed({ "calibration.json": text("[]") }),
};
for (const [name, make] of Object.entries(broken)) {
  test(`${name}: the line of the program, and a good model loads afterwards`, (headlight) => {
    const files = make();
    const expected = withFolder(files, (folder) => native.refusal(folder).replaceAll(folder, "/model"));
    same("refused", expected !== null, true);
    same("line", lineOf(() => headlight.load(files).attend({ text: "a text" })), expected);
    withModel(headlight, changed({}), {}, (model) => compareAttentions(model, sentiment, [{ text: "a text" }]));
  });
}

test("sizes of 32 bits and more are refused", (headlight) => {
  const shape = header(JSON.stringify({ a: { dtype: "F32", shape: [2 ** 32 + 1], data_offsets: [0, 4] } }));
  for (const [file, expected] of [
    [Buffer.concat([shape, Buffer.alloc(4)]),
     "tensor a.shape: found a list of 1, expected a list of whole numbers from 0 to 2^32 - 1"],
    [new Uint8Array(2 ** 32), "has 4294967296 bytes, expected fewer than 4 GiB where sizes have 32 bits"],
  ]) same("line", lineOf(() => headlight.load(changed({ "model.safetensors": file }))), `/model/model.safetensors: ${expected}`);
});

test("a model without layers is refused", (headlight) => {
  const config = { model_type: "sparse", id2label: ["x", "y"], dictionaries: [{}] };
  same("line", lineOf(() => headlight.load(changed({ "config.json": text(JSON.stringify(config)) }))),
       "/model: is a model of n-grams, without layers, and the WebAssembly module needs some");
});
