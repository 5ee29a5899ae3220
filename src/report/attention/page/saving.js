// Saves the open head's map as SVG or PNG, and all that the side shows as JSON (the fields of
// `headlight attention --format json`).
const saving = (() => {
  function save(blob, ending) {
    const link = element("a", { download: `attention.${ending}`, href: URL.createObjectURL(blob) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // A float32 in as few digits as give it back.
  function shortest(value) {
    for (let digits = 6; digits < 9; ++digits) {
      const short = Number(value.toPrecision(digits));
      if (Math.fround(short) === value) return short;
    }
    return Number(value.toPrecision(9));
  }

  const rowsOf = (values, width) => Array.from({ length: values.length / width }, (_, row) => (
    Array.from(values.subarray(row * width, (row + 1) * width), shortest)));

  async function attentionDocument() {
    const [text, pair] = data.texts;
    const { best, labels } = data.verdict;
    const named = (field) => (labels[0]?.[field] === undefined ? undefined
      : Object.fromEntries(labels.map((label) => [label.name, shortest(label[field])])));
    const attention = await Promise.all(data.layers.map((layer) => Promise.all(data.heads.filter((head) => hasMatrix(layer, head))
      .map(async (head) => rowsOf(await matrixOf(layer, head), tokenCount)))));
    return { model: data.model, text, pair, tokens: data.tokens, ids: data.ids, sequence: data.sequence,
             label: labels[best]?.name, logits: named("logit"), probabilities: named("probability"),
             layers: data.layers, heads: data.heads, attention };
  }

  const saves = {
    SVG: () => save(new Blob([openHead.svg()], { type: "image/svg+xml" }), "svg"),
    PNG: () => openHead.picture().toBlob((blob) => save(blob, "png")),
    JSON: async () => save(new Blob([JSON.stringify(await attentionDocument()), "\n"], { type: "application/json" }), "json"),
  };

  return {
    build() {
      for (const [name, act] of Object.entries(saves)) {
        const title = name === "JSON" ? "save the attention of all heads as JSON" : `save the heat map as ${name}`;
        byId("save").append(button(act, { "aria-label": title, title }, name));
      }
    },
  };
})();
