// What is embedded in a live page: the module, and the files of the models. The text of each is removed once it is
// unpacked, because it takes more memory than the bytes.
async function takeEmbedded(holder) {
  const bytes = await unpacked(holder.textContent).catch(() => {
    throw new Error(`${holder.dataset.file ?? holder.id}: is damaged in this page; write the page again`);
  });
  holder.remove();
  return bytes;
}

let module = null;

// { code: a URL, wasm: bytes }
const loadModule = () => (module ??= takeModule());

async function takeModule() {
  const [script, wasm] = await Promise.all(["module-js", "module-wasm"].map((id) => takeEmbedded(document.getElementById(id))));
  const worker = document.getElementById("worker").textContent;
  return { code: URL.createObjectURL(new Blob([script, "\n", worker], { type: "text/javascript" })), wasm };
}

// The files of a side's model by their names.
const loadFiles = remembering(async (suffix) => {
  const holders = [...document.querySelectorAll(`[data-file][data-side="${suffix}"]`)];
  return new Map(await Promise.all(holders.map(async (holder) => [holder.dataset.file, await takeEmbedded(holder)])));
});

// A model in a Worker of its own, so that typing never waits.
function startBackground(suffix) {
  const waiting = new Map();  // number → { resolve, reject }
  let [worker, last] = [null, 0];

  function fail(message) {
    for (const { reject } of waiting.values()) reject(new Error(message));
    waiting.clear();
  }

  // Returns a promise of the answer of one of the actions of worker.js.
  function ask(action, argument) {
    return new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      worker.postMessage({ number: last, action, argument });
    });
  }

  const loaded = (async () => {
    const [{ code, wasm }, files] = await Promise.all([loadModule(), loadFiles(suffix)]);
    worker = new Worker(code);
    worker.onmessage = ({ data: { number, result, error } }) => {
      const { resolve, reject } = waiting.get(number);
      waiting.delete(number);
      if (error === undefined) resolve(result); else reject(new Error(error));
    };
    worker.onerror = ({ message }) => fail(message);
    return ask("load", { wasm, files });
  })();

  return {
    loaded,
    ask: async (action, argument) => {
      await loaded;
      return ask(action, argument);
    },
    unanswered: () => waiting.size,
    stop() {
      worker?.terminate();
      fail("stopped");
    },
  };
}
