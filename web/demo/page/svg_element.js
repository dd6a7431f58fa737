// SVG elements and documents, built with the DOM, which does all escaping.

const namespace = 'http://www.w3.org/2000/svg';

export function svgElement(tag, attributes = {}, ...children) {
  const made = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, typeof value === 'number' ? Math.round(value * 100) / 100 : value);
  }
  made.append(...children.flat());
  return made;
}

/** An SVG document of this size in CSS pixels, filled with the surface color. */
export function svgDocument({ width, height, title, family, surface }, ...children) {
  const attributes = { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' };
  return svgElement(
    'svg',
    { ...attributes, 'font-family': family },
    svgElement('title', {}, title),
    svgElement('rect', { width: '100%', height: '100%', fill: surface }),
    ...children,
  );
}

export const writeSVG = (root) => `${new XMLSerializer().serializeToString(root)}\n`;
