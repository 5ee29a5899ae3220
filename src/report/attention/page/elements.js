// Creates elements. Foreign text is only inserted as text, isolated from the direction of the text around it.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const isolated = (text) => element("bdi", {}, text);
const byId = (id) => document.getElementById(id);

// A checkbox or a radio button that looks like a chip.
function chip(type, name, label, checked, onChange) {
  const input = element("input", { type, name });
  input.checked = checked;
  input.addEventListener("change", () => onChange(input.checked));
  return element("label", { class: "chip" }, input, element("span", {}, label));
}
