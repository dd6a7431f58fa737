// Elements as they are made here: with properties, and with attributes.

export function setAttributes(element, attributes) {
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  return element;
}

export const makeElement = (name, attributes, properties) =>
  setAttributes(Object.assign(document.createElement(name), properties), attributes);
