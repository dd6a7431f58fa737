// A painter for a canvas: lengths in CSS pixels.

import { isRightToLeft } from './labels.js';
import { pixelCount } from './layout.js';
import { paintPixels } from './raster.js';

export function createCanvasPainter(context, { family, labels, ratio }) {
  let hatching = null;
  const raster = { canvas: null, key: null };

  const box = (x, y, width, height, radius) => {
    context.beginPath();
    if (radius > 0 && context.roundRect) context.roundRect(x, y, width, height, radius);
    else context.rect(x, y, width, height);
  };

  return {
    fill(x, y, width, height, radius, color) {
      context.fillStyle = color;
      if (radius === 0) return context.fillRect(x, y, width, height);
      box(x, y, width, height, radius);
      return context.fill();
    },
    stroke(x, y, width, height, radius, color, thickness) {
      box(x, y, width, height, radius);
      Object.assign(context, { strokeStyle: color, lineWidth: thickness });
      context.stroke();
    },
    dot(x, y, radius, color) {
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fillStyle = color;
      context.fill();
    },
    /** A triangle that points down at x, y. */
    marker(x, y, size, color) {
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x - size, y - 1.5 * size);
      context.lineTo(x + size, y - 1.5 * size);
      context.closePath();
      context.fillStyle = color;
      context.fill();
    },
    gradient(x, y, width, height, colors) {
      const gradient = context.createLinearGradient(x, 0, x + width, 0);
      for (let i = 0; i < colors.length; i += 5)
        gradient.addColorStop(i / (colors.length - 1), colors[i]);
      context.fillStyle = gradient;
      box(x, y, width, height, 2);
      context.fill();
    },
    hatch(x, y, width, height, color) {
      if (hatching?.color !== color)
        hatching = { color, pattern: hatchPattern(context, color, ratio) };
      context.fillStyle = hatching.pattern;
      context.fillRect(x, y, width, height);
    },
    pixels({ matrix, ramp, bin }, x, y, cell) {
      const [width, height] = [matrix.columns, matrix.rows].map((count) => pixelCount(count, bin));
      if (width === 0 || height === 0) return;
      const { key } = raster;
      // Scrolling and zooming take the pixels that are there.
      if (key?.matrix !== matrix || key.ramp !== ramp || key.bin !== bin) {
        raster.canvas ??= document.createElement('canvas');
        Object.assign(raster.canvas, { width, height });
        const own = raster.canvas.getContext('2d');
        const image = own.createImageData(width, height);
        paintPixels(new Uint32Array(image.data.buffer), { matrix, ramp, bin });
        own.putImageData(image, 0, 0);
        raster.key = { matrix, ramp, bin };
      }
      context.imageSmoothingEnabled = false;
      context.drawImage(raster.canvas, x, y, width * bin * cell, height * bin * cell);
    },
    text(
      text,
      x,
      y,
      { size, weight = 400, color, align, angle = 0, chip, chipHeight = 1.6 * size, halo },
    ) {
      if (angle) {
        context.save();
        context.translate(x, y);
        context.rotate(angle);
        [x, y] = [0, 0];
      }
      context.font = `${weight} ${size}px ${family}`;
      if (chip) {
        const width = labels.widthOf(text, size, weight);
        const left = x - (align === 'right' ? width : align === 'center' ? width / 2 : 0);
        box(left - 5, y - chipHeight / 2, width + 10, chipHeight, 4);
        Object.assign(context, { fillStyle: chip, strokeStyle: halo, lineWidth: 3 });
        context.stroke();
        context.fill();
      }
      context.direction = isRightToLeft(text) ? 'rtl' : 'ltr';
      context.textAlign = align;
      // Where the letters stand is the same for all words, whatever the font's boxes are.
      context.textBaseline = 'alphabetic';
      context.fillStyle = color;
      context.fillText(text, x, y + 0.35 * size);
      if (angle) context.restore();
    },
    clip(x, y, width, height, paint) {
      context.save();
      context.beginPath();
      context.rect(x, y, width, height);
      context.clip();
      paint();
      context.restore();
    },
  };
}

/** Measures texts as a canvas of this font family draws them. */
export function createMeasure(context, family) {
  let set = '';
  return (text, size, weight) => {
    const font = `${weight} ${size}px ${family}`;
    if (set !== font || context.font === '') context.font = set = font;
    return context.measureText(text).width;
  };
}

function hatchPattern(context, color, ratio) {
  const tile = document.createElement('canvas');
  const side = Math.max(4, Math.round(5 * ratio));
  tile.width = tile.height = side;
  const own = tile.getContext('2d');
  Object.assign(own, {
    strokeStyle: color,
    lineWidth: Math.max(1, ratio * 0.75),
    globalAlpha: 0.55,
  });
  own.beginPath();
  for (const offset of [-side, 0, side]) {
    own.moveTo(offset, side);
    own.lineTo(offset + side, 0);
  }
  own.stroke();
  const pattern = context.createPattern(tile, 'repeat');
  pattern.setTransform?.(new DOMMatrix().scale(1 / ratio));
  return pattern;
}
