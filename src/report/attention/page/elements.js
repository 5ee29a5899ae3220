// Creates elements. Foreign text is only inserted as text, isolated from the direction of the text around it.
const element = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);

const svgElement = (name, attributes = {}, ...children) => (
  filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children));

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function button(act, attributes, ...children) {
  const made = element("button", { type: "button", ...attributes }, ...children);
  made.addEventListener("click", act);
  return made;
}

const signed = (number, digits) => `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(digits)}`;

const isolated = (text) => element("bdi", {}, text);

// A checkbox or a radio button that looks like a chip.
function chip(type, name, label, checked, onChange) {
  const input = element("input", { type, name });
  input.checked = checked;
  input.addEventListener("change", () => onChange(input.checked));
  return element("label", { class: "chip" }, input, element("span", {}, label));
}

// Fills `parent` with what `make` gives for each of `keys`; an element whose key is the same stays, which is much
// faster than a new one.
function fillWith(parent, keys, make) {
  keys.forEach((key, i) => {
    const old = parent.children[i];
    if (old?.dataset.key === key) return;
    const made = make(i);
    made.dataset.key = key;
    if (!old) return parent.append(made);
    const hasFocus = old === document.activeElement;
    if (old.hasAttribute("tabindex")) made.tabIndex = old.tabIndex;
    old.replaceWith(made);
    if (hasFocus) made.focus();
  });
  while (parent.children.length > keys.length) parent.lastElementChild.remove();
}

// A name whose end stays visible if there is no room for its middle.
function cutInTheMiddle(text) {
  const letters = [...text];
  const tail = 5;
  if (letters.length <= 2 * tail) return isolated(text);
  return element("bdi", { class: "long" }, element("span", {}, letters.slice(0, -tail).join("")),
                 element("span", {}, letters.slice(-tail).join("")));
}

// Fades the edges of a box beyond which there is more to scroll to.
function fadeEdges(box) {
  const update = () => {
    box.classList.toggle("more-left", box.scrollLeft > 1);
    box.classList.toggle("more-right", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
    box.classList.toggle("more-above", box.scrollTop > 1);
    box.classList.toggle("more-below", box.scrollTop + box.clientHeight < box.scrollHeight - 1);
  };
  const sizes = new ResizeObserver(update);
  for (const part of [box, ...box.children]) sizes.observe(part);
  box.addEventListener("scroll", update, { passive: true });
}
