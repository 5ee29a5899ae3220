// Numbers, strings and structs in the memory of the module, for headlight.js.

// Bytes of the structs where pointers have 32 bits.
const headlightSizes = { text: 16, row: 12, engineOptions: 12, runOptions: 56 };

// The functions and the memory of the module. The memory grows, and then its views are new ones: each use asks for them.
class HeadlightMemory {
  static #encoder = new TextEncoder();
  static #decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  constructor(functions) {
    this.functions = functions;
    this.#checkStructs();
  }

  // Fails if the structs of this module are not laid out as this file fills them.
  #checkStructs() {
    this.borrow((allocate) => {
      const engine = allocate(64);
      const run = allocate(64);
      this.functions._hl_engine_options_defaults(engine);
      this.functions._hl_run_options_defaults(run);
      const found = [this.word(engine), this.string(this.word(engine + 8)), this.word(run), this.string(this.word(run + 8)),
                     this.string(this.word(run + 16))].join();
      const expected = `${headlightSizes.engineOptions},fp32,${headlightSizes.runOptions},,`;
      if (found !== expected) throw new Error(`headlight.js: the module's options are ${found}, expected ${expected}`);
    });
  }

  check(status) {
    if (status !== 0) throw new Error(this.string(this.functions._hl_last_error()));
  }

  word(address) { return this.functions.HEAPU32[address >>> 2]; }

  // Of bytes that end in NUL; null for NULL.
  string(address) {
    if (!address) return null;
    const bytes = this.functions.HEAPU8;
    return HeadlightMemory.#decoder.decode(bytes.subarray(address >>> 0, bytes.indexOf(0, address >>> 0)));
  }

  // Copies; null for NULL.
  #copy(view, address, length) { return address ? view.slice(address >>> 2, (address >>> 2) + length) : null; }
  floats(address, length) { return this.#copy(this.functions.HEAPF32, address, length); }
  words(address, length) { return this.#copy(this.functions.HEAPU32, address, length); }

  // Calls `use` with a function that gives memory, which is freed afterwards.
  borrow(use) {
    const blocks = [];
    try {
      return use((bytes) => {
        const block = this.functions._malloc(Math.max(bytes, 1)) >>> 0;
        if (block === 0) throw new Error("not enough memory");
        blocks.push(block);
        return block;
      });
    } finally {
      for (const block of blocks) this.functions._free(block);
    }
  }

  // The handle that `call` puts where its argument says.
  handle(call) {
    return this.borrow((allocate) => {
      const place = allocate(4);
      this.check(call(place, allocate));
      return this.word(place);
    });
  }

  put(allocate, bytes) {
    const place = allocate(bytes.length);
    this.functions.HEAPU8.set(bytes, place);
    return place;
  }

  putString(allocate, string) { return this.put(allocate, HeadlightMemory.#encoder.encode(`${string}\0`)); }

  // hl_text [n].
  putTexts(allocate, texts) {
    const sized = (text) => {
      const bytes = HeadlightMemory.#encoder.encode(text);
      return [this.put(allocate, bytes), bytes.length];
    };
    const fields = texts.flatMap(({ text, pair = null }) => [...sized(text), ...(pair === null ? [0, 0] : sized(pair))]);
    return this.putWords(allocate, fields);
  }

  putWords(allocate, words) {
    const place = allocate(4 * words.length);
    this.functions.HEAPU32.set(words, place >>> 2);
    return place;
  }

  // hl_run_options.
  putOptions(allocate, { maxTokens = 0, longTexts = null, plainText = false, method = null, seed = 0, headsOff = [] }) {
    const word = (chosen) => (chosen === null ? 0 : this.putString(allocate, chosen));
    const options = allocate(headlightSizes.runOptions);
    this.functions._hl_run_options_defaults(options);
    const off = this.putWords(allocate, headsOff.map(([layer, head]) => layer * 65536 + head));
    const fields = [maxTokens, word(longTexts), plainText ? 1 : 0, word(method), 0, seed >>> 0, Math.floor(seed / 2 ** 32),
                    off, headsOff.length];
    this.functions.HEAPU32.set(fields, (options + 4) >>> 2);
    return options;
  }

  // The place { source, begin, end } that `call` tells.
  place(call) {
    return this.borrow((allocate) => {
      const bytes = allocate(8);
      const source = call(bytes, bytes + 4);
      return { source, begin: this.word(bytes), end: this.word(bytes + 4) };
    });
  }
}
