// What the cases have in common: module_test.js PROGRAM SOURCE LIVE.
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { filesOf, writeFiles } = require("./models.js");
const { Native } = require("./native.js");

const [program, source, live] = process.argv.slice(2);
const wasmBinary = fs.readFileSync(path.join(live, "headlight.wasm"));
const glue = require(path.resolve(live, "headlight.js"));
const native = new Native(program);
const models = path.join(source, "data/models");
const sentiment = path.join(models, "sentiment");
const fixtures = path.join(source, "tests/golden");

const cases = [];
const test = (name, run) => cases.push([name, run]);

// The line that a call fails with.
function lineOf(call) {
  try {
    call();
  } catch (error) {
    return error.message;
  }
  return null;
}

// Runs `use` with a model of the module.
function withModel(headlight, files, options, use) {
  const model = headlight.load(files, options);
  try {
    return use(model);
  } finally {
    model.free();
  }
}

// Runs `use` with a folder that has these files.
function withFolder(files, use) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "module-"));
  try {
    writeFiles(files, folder);
    return use(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

module.exports = { cases, fixtures, glue, lineOf, models, native, sentiment, source, test, wasmBinary, withFolder, withModel };
