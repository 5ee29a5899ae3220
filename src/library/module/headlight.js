// The C functions of headlight.h for JavaScript: Headlight.create(), load(), then attend(), explain() or classify().
// Strings go in and out as UTF-8 with their length; places are bytes of it. What fails throws an Error with the one
// line of hl_last_error(). What is free()d must not be used again.
//
// `options` are those of hl_run_options, each may be left out:
// maxTokens (0: those of the model), longTexts ("truncate", "error" or "window"; null: as the model says), plainText
// headsOff: [[layer, head], …]
// method of explain(): "occlusion", "shapley", "gradient", "integrated-gradients", "lrp" or, of a model without layers,
// "exact"; null: what suits the model
// seed of its sampled Shapley values

class Headlight {
  #memory;

  constructor(memory) { this.#memory = memory; }

  // `wasmBinary`: the bytes of headlight.wasm.
  static async create(wasmBinary) { return new Headlight(new HeadlightMemory(await headlightModule({ wasmBinary }))); }

  // `precision` of the linear layers: "fp32", "bf16" or "int8". `files`: a Map of names, such as "config.json" or "1_Pooling/config.json", to Uint8Arrays.
  load(files, { precision = "fp32" } = {}) {
    const memory = this.#memory;
    const { functions } = memory;
    const folder = "/model";
    const engine = memory.handle((place, allocate) => functions._hl_engine_new(
      memory.putWords(allocate, [headlightSizes.engineOptions, 1, memory.putString(allocate, precision)]), place));
    try {
      functions.FS.mkdirTree(folder);
      for (const [name, bytes] of files) {
        const path = `${folder}/${name}`;
        functions.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
        functions.FS.writeFile(path, bytes, { canOwn: true });
      }
      return new HeadlightModel(memory, memory.handle((place, allocate) => functions._hl_model_load(
        engine, memory.putString(allocate, folder), place)));
    } finally {
      functions._hl_engine_free(engine);
      this.#remove(folder);
    }
  }

  // The model has read its files, or has copies in the module's memory.
  #remove(path) {
    const { FS } = this.#memory.functions;
    if (!FS.isDir(FS.stat(path).mode)) return FS.unlink(path);
    for (const name of FS.readdir(path)) if (name !== "." && name !== "..") this.#remove(`${path}/${name}`);
    return FS.rmdir(path);
  }
}

class HeadlightModel {
  #memory;
  #handle;

  constructor(memory, handle) {
    this.#memory = memory;
    this.#handle = handle;
    const { functions } = memory;
    const upTo = (count, each) => Array.from({ length: count }, (_, i) => each(i));
    this.labels = upTo(functions._hl_model_labels(handle), (i) => memory.string(functions._hl_model_label(handle, i)));
    this.problemType = memory.string(functions._hl_model_problem_type(handle));
    this.layers = functions._hl_model_layers(handle);
    this.heads = upTo(this.layers, (layer) => functions._hl_model_heads(handle, layer));
    this.labelHeads = functions._hl_model_label_heads(handle);
    this.maxTokens = functions._hl_model_max_tokens(handle);  // 0: no limit
  }

  attend({ text, pair = null, ...options }) {
    const memory = this.#memory;
    return new HeadlightAttention(memory, this, memory.handle((place, allocate) => memory.functions._hl_attend(
      this.#handle, memory.putTexts(allocate, [{ text, pair }]), memory.putOptions(allocate, options), place)));
  }

  // The effect of each word on each logit: { words: [{ source, begin, end, effects [c] }], logits [c] }.
  explain({ text, pair = null, ...options }) {
    const memory = this.#memory;
    const { functions } = memory;
    const handle = memory.handle((place, allocate) => functions._hl_explain(
      this.#handle, memory.putTexts(allocate, [{ text, pair }]), memory.putOptions(allocate, options), place));
    const classes = this.labels.length;
    const words = Array.from({ length: functions._hl_explanation_words(handle) }, (_, word) => ({
      ...memory.place((begin, end) => functions._hl_explanation_word(handle, word, begin, end)),
      effects: memory.floats(functions._hl_explanation_effects(handle, word), classes),
    }));
    const logits = memory.floats(functions._hl_explanation_logits(handle), classes);
    functions._hl_explanation_free(handle);
    return { words, logits };
  }

  // `texts`: [{ text, pair }]. A text that cannot be scored has an error and NaN. Gives { logits [n, c],
  // probabilities [n, c] or null for a regression, errors [n] }.
  classify(texts, options = {}) {
    const memory = this.#memory;
    const { functions } = memory;
    const size = texts.length * this.labels.length;
    const hasProbabilities = this.problemType !== "regression";
    return memory.borrow((allocate) => {
      const structs = memory.putTexts(allocate, texts);
      const how = memory.putOptions(allocate, options);
      const [logits, probabilities] = [allocate(4 * size), hasProbabilities ? allocate(4 * size) : 0];
      const rows = allocate(headlightSizes.row * texts.length);
      memory.check(functions._hl_classify(this.#handle, structs, texts.length, how, logits, probabilities, rows));
      const errors = texts.map((_, i) => (memory.word(rows + headlightSizes.row * i) === 0 ? null
        : this.#textError(structs + headlightSizes.text * i, how)));
      return { logits: memory.floats(logits, size), probabilities: memory.floats(probabilities, size), errors };
    });
  }

  #textError(text, options) {
    const memory = this.#memory;
    return memory.borrow((allocate) => {
      const told = (buffer, size) => memory.functions._hl_text_error(this.#handle, text, options, buffer, size);
      const size = told(0, 0) + 1;
      const buffer = allocate(size);
      told(buffer, size);
      return memory.string(buffer);
    });
  }

  free() {
    this.#memory.functions._hl_model_free(this.#handle);
    this.#handle = 0;
  }
}

// Every head of every layer for one text of t tokens. A head that is not there gives null.
class HeadlightAttention {
  #memory;
  #handle;

  constructor(memory, model, handle) {
    this.#memory = memory;
    this.#handle = handle;
    const { functions } = memory;
    const encoding = functions._hl_attention_encoding(handle);
    const size = functions._hl_encoding_size(encoding);
    const classes = model.labels.length;
    const each = Array.from({ length: size }, (_, i) => i);
    const places = each.map((i) => memory.place((begin, end) => functions._hl_encoding_offsets(encoding, i, begin, end)));
    this.tokens = each.map((i) => memory.string(functions._hl_encoding_token(encoding, i)));
    this.ids = Array.from(memory.words(functions._hl_encoding_ids(encoding), size) ?? []);
    this.sources = places.map(({ source }) => source);  // 0: special, 1: the text, 2: the pair
    this.places = places.map(({ begin, end }) => [begin, end]);
    this.words = memory.words(functions._hl_encoding_words(encoding), size);  // the word of each token
    this.truncated = functions._hl_encoding_truncated(encoding);
    this.logits = memory.floats(functions._hl_attention_logits(handle), classes);
    this.probabilities = memory.floats(functions._hl_attention_probabilities(handle), classes);
  }

  get #size() { return this.tokens.length; }

  // [t, t]: rows are queries.
  weights(layer, head) {
    return this.#memory.floats(this.#memory.functions._hl_attention_weights(this.#handle, layer, head), this.#size ** 2);
  }

  // In nats, the mean over the queries.
  entropy(layer, head) { return this.#memory.functions._hl_attention_entropy(this.#handle, layer, head); }

  // [t, head size].
  queries(layer, head) { return this.#rows("_hl_attention_queries", layer, head); }
  keys(layer, head) { return this.#rows("_hl_attention_keys", layer, head); }
  values(layer, head) { return this.#rows("_hl_attention_values", layer, head); }

  #rows(name, layer, head) {
    const { functions } = this.#memory;
    const length = this.#size * functions._hl_attention_head_size(this.#handle, layer, head);
    return this.#memory.floats(functions[name](this.#handle, layer, head), length);
  }

  // [c, t].
  labelWeights(head) {
    const address = this.#memory.functions._hl_attention_label_weights(this.#handle, head);
    return this.#memory.floats(address, (this.logits?.length ?? 0) * this.#size);
  }

  // How a head comes to the output of one query: { products [t], scores [t], output [head size] }. The scores are what
  // softmax takes: scaled, with biases, -Infinity where masked.
  steps(layer, head, query) {
    const memory = this.#memory;
    const width = memory.functions._hl_attention_head_size(this.#handle, layer, head);
    return memory.borrow((allocate) => {
      const [products, scores, output] = [this.#size, this.#size, width].map((length) => allocate(4 * length));
      memory.check(memory.functions._hl_attention_steps(this.#handle, layer, head, query, products, scores, output));
      return { products: memory.floats(products, this.#size), scores: memory.floats(scores, this.#size),
               output: memory.floats(output, width) };
    });
  }

  // The words of two texts that stand for each other, in order: [[number before, number after], …].
  static align(before, after) {
    const memory = before.#memory;
    if (memory !== after.#memory) throw new Error("the attentions are of two modules");
    const counts = [before, after].map(({ words }) => (words.at(-1) ?? -1) + 1);
    return memory.borrow((allocate) => {
      const count = allocate(4);
      const pairs = allocate(8 * Math.min(...counts));
      memory.check(memory.functions._hl_attention_align(before.#handle, after.#handle, pairs, count));
      const numbers = memory.words(pairs, 2 * memory.word(count));
      return Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]]);
    });
  }

  // The attention between the n aligned words after, less that before: { pairs [n] of align(), values [n, n] }.
  static difference(before, after, layer, head) {
    const memory = before.#memory;
    const pairs = HeadlightAttention.align(before, after);
    return memory.borrow((allocate) => {
      const difference = allocate(4 * pairs.length ** 2);
      memory.check(
        memory.functions._hl_attention_difference(before.#handle, after.#handle, layer, head, difference));
      return { pairs, values: memory.floats(difference, pairs.length ** 2) };
    });
  }

  free() {
    this.#memory.functions._hl_attention_free(this.#handle);
    this.#handle = 0;
  }
}

if (typeof module === "object") module.exports = { Headlight, HeadlightAttention, HeadlightMemory, headlightModule };
