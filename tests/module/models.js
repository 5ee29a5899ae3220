// Folders of models, and their files as the module takes them.
const fs = require("node:fs");
const path = require("node:path");

// A Map of the files of a folder and of its folders.
function filesOf(folder, inside = "") {
  const entries = fs.readdirSync(path.join(folder, inside), { withFileTypes: true });
  return new Map(entries.flatMap((entry) => {
    const name = path.posix.join(inside, entry.name);
    return entry.isDirectory() ? [...filesOf(folder, name)] : [[name, new Uint8Array(fs.readFileSync(path.join(folder, name)))]];
  }));
}

function writeFiles(files, folder) {
  for (const [name, bytes] of files) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), bytes);
  }
}

// Splits at blanks. Words are "t0" to the last id.
function plainTokenizer(size) {
  const vocab = Object.fromEntries(Array.from({ length: size }, (_, id) => [`t${id}`, id]));
  return JSON.stringify({
    version: "1.0", added_tokens: [], normalizer: null, pre_tokenizer: { type: "WhitespaceSplit" }, post_processor: null,
    decoder: null, model: { type: "WordLevel", vocab, unk_token: "t0" },
  });
}

// Files of a fixture, with a tokenizer if it has none.
function withTokenizer(folder) {
  const files = filesOf(folder);
  if (["tokenizer.json", "vocab.txt", "vocab.json"].some((name) => files.has(name))) return files;
  const { vocab_size: size } = JSON.parse(Buffer.from(files.get("config.json")));
  files.delete("tokenizer_config.json");  // it can name a class that reads other files
  return files.set("tokenizer.json", new TextEncoder().encode(plainTokenizer(size)));
}

module.exports = { filesOf, withTokenizer, writeFiles };
