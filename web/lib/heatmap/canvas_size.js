// A canvas is as large as CSS makes it, and its pixels follow. One that CSS leaves alone takes its size from
// its pixels; it keeps the size, or the shape, that its attributes gave it.

/** Returns a function that takes back what was set. */
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
