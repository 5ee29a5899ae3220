// What the heads are worth: how the loss over a file changes without each of them.
const worths = new Map((data.worth?.heads ?? []).map((head) => [`${head.layer} ${head.head}`, head]));
const largestWorth = Math.max(0, ...[...worths.values()].map(({ change }) => Math.abs(change)));

// Undefined for mean and rollout, and where nothing is known.
const worthOf = (layer, column) => worths.get(`${layer} ${column}`);

// "log loss +0.012 without it (95 % CI −0.001 to +0.025)"
function worthText({ change, low, high }) {
  const range = low === undefined ? "" : ` (95 % CI ${signed(low, 4)} to ${signed(high, 4)})`;
  return `${data.worth.measure} ${signed(change, 4)} without it${range}`;
}

// A bar from the middle: to the right if the loss grows without the head, to the left if it falls.
function worthBar(worth) {
  const bar = element("span", { class: "worth" }, element("i"));
  if (worth === undefined) {
    bar.style.visibility = "hidden";
    return bar;
  }
  bar.classList.add(worth.change < 0 ? "harms" : "helps");
  bar.style.setProperty("--share", largestWorth > 0 ? Math.abs(worth.change) / largestWorth : 0);
  return bar;
}

function showWorthHelp() {
  if (data.worth === undefined) return;
  const { measure, rows } = data.worth;
  byId("worth-help").hidden = false;
  byId("worth-help").append(
    element("span", { class: "worth helps" }), " needed, ", element("span", { class: "worth harms" }),
    ` harmful: the second bar shows how the ${measure} over ${rows} rows changes if ` +
    `zero replaces the head's output. The longest bar is ${largestWorth.toPrecision(3)}.`);
}
