// The CSS size of the canvas defines its pixel size. Where CSS sets no size, the canvas keeps the size, or the aspect
// ratio, of its width and height attributes.

/** Sets CSS properties as needed; returns a function that restores them. */
export function keepSize(canvas) {
  const { width, height } = canvas;
  const before = ['width', 'height', 'aspectRatio'].map((name) => [name, canvas.style[name]]);
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = width + 64;
  canvas.height = height + 8;
  const followsWidth = canvas.clientWidth !== wide;
  const followsHeight = canvas.clientHeight !== high;
  Object.assign(canvas, { width, height });
  if (followsWidth) canvas.style.width = `${width}px`;
  if (followsHeight) canvas.style.aspectRatio = `${width} / ${height}`;
  return () => {
    for (const [name, value] of before) canvas.style[name] = value;
  };
}
