// Creation of elements with attributes and properties.

export function setAttributes(element, attributes) {
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  return element;
}

export const newElement = (name, attributes, properties) =>
  setAttributes(Object.assign(document.createElement(name), properties), attributes);
