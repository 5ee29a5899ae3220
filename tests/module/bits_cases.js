// Tokens, logits, attention and effects of words have the bits of the program.
const fs = require("node:fs");
const path = require("node:path");
const { compareAttentions, compareExplanations, comparePredictions } = require("./beside_program.js");
const { same } = require("./compare.js");
const { fixtures, glue, lineOf, models, native, sentiment, source, test, wasmBinary, withFolder, withModel } = require("./context.js");
const { filesOf, withTokenizer } = require("./models.js");

const odd = JSON.parse(fs.readFileSync(path.join(fixtures, "tokenizer_texts.json"))).filter((text) => !/[\n\r]/.test(text));
const sentences = ["not bad at all", "a gorgeous, witty, seductive movie", "", "one\0two \0", "word ".repeat(2000),
                   "don't you just love an unflinching, beautifully shot film with nothing to say? 😀 日本語"];
const fifty = [...sentences, ...odd].slice(0, 50).map((text) => ({ text }));
const some = [...sentences.slice(0, 4), "t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12 t13"].map((text) => ({ text }));
const pairs = [{ text: "a man eats", pair: "someone is eating food" }, { text: "", pair: "x" }, { text: "x", pair: "" },
               { text: "long ".repeat(300), pair: "longer ".repeat(300) }];
const anything = [...pairs, { text: "a\0b\nc", pair: "\r\n" }];

for (const name of fs.readdirSync(models)) {
  const folder = path.join(models, name);
  const files = filesOf(folder);
  const { num_hidden_layers: layers } = JSON.parse(fs.readFileSync(path.join(folder, "config.json")));
  const compare = layers === 0 ? comparePredictions : compareAttentions;
  test(`${name}: 50 texts`, (headlight) => withModel(headlight, files, {}, (model) => {
    compare(model, folder, fifty);
  }));
  test(`${name}: pairs`, (headlight) => withModel(headlight, files, {}, (model) => {
    compare(model, folder, pairs);
    if (model.labels.length > 0) comparePredictions(model, folder, anything);
  }));
  for (const precision of ["int8", "bf16"]) {
    test(`${name}: ${precision}`, (headlight) => withModel(headlight, files, { precision }, (model) => {
      compare(model, folder, some, ["--precision", precision]);
    }));
  }
}

// Every family of models, BPE and Unigram among their tokenizers.
for (const name of fs.readdirSync(path.join(fixtures, "published"))) {
  test(name, (headlight) => {
    const files = withTokenizer(path.join(fixtures, "published", name));
    withFolder(files, (folder) => {
      if (name.startsWith("roformer")) {  // its tokenizer needs a dictionary of Chinese words
        return same("line", lineOf(() => headlight.load(files)), native.refusal(folder).replaceAll(folder, "/model"));
      }
      return withModel(headlight, files, {}, (model) => compareAttentions(model, folder, some));
    });
  });
}

// Our own family, with label attention, windows and heads of several sizes. The text is its vocabulary.
for (const name of fs.readdirSync(path.join(source, "configs"))) {
  if (!/^[a-z-]*\.json$/.test(name)) continue;
  const config = path.join(source, "configs", name);
  const { vocabulary } = JSON.parse(fs.readFileSync(config)).tokenizer;
  if (vocabulary === undefined) continue;  // it is learned from rows
  test(name, (headlight) => withFolder(new Map(), (folder) => {
    native.init(config, folder);
    const text = vocabulary.filter((word) => !word.startsWith("[")).join(" ");
    withModel(headlight, filesOf(folder), {}, (model) => compareAttentions(model, folder, [{ text }]));
  }));
}

test("n-grams", (headlight) => withFolder(new Map(), (folder) => {
  const vocabulary = ["[UNK]", "a", "b", "c", "d"];
  const config = { ...JSON.parse(fs.readFileSync(path.join(source, "configs/static.json"))), vocab_size: vocabulary.length,
                   ngram_sizes: [2, 3], ngram_buckets: 9, id2label: { 0: "x", 1: "y" },
                   tokenizer: { type: "whitespace", vocabulary } };
  const file = path.join(folder, "ngrams.json");
  fs.writeFileSync(file, JSON.stringify(config));
  native.init(file, path.join(folder, "model"));
  const texts = ["a b c d", "d", "a a e b", "b c"].map((text) => ({ text }));
  withModel(headlight, filesOf(path.join(folder, "model")), {},
            (model) => {
              comparePredictions(model, path.join(folder, "model"), texts);
              for (const method of [null, "exact"]) compareExplanations(model, path.join(folder, "model"), texts, method);
            });
}));

for (const method of ["occlusion", "shapley", "gradient", "integrated-gradients", "lrp"]) {
  test(`sentiment: ${method}`, (headlight) => withModel(headlight, filesOf(sentiment), {}, (model) => {
    compareExplanations(model, sentiment, [...some, ...fifty.slice(10, 20)], method);
    compareExplanations(model, sentiment, [pairs[0], { text: "a\0b\nc", pair: "\r\nx" }], method);
  }));
}

test("the same bits above 2 GiB", async () => {
  const functions = await glue.headlightModule({ wasmBinary });
  for (let i = 0; i < 2; ++i) same("has 1.2 GiB", functions._malloc(1.2 * 2 ** 30) !== 0, true);
  withModel(new glue.Headlight(new glue.HeadlightMemory(functions)), filesOf(sentiment), {}, (model) => {
    compareAttentions(model, sentiment, some);
    comparePredictions(model, sentiment, anything);
    compareExplanations(model, sentiment, [pairs[0]], "occlusion");
  });
});
