// Painter that draws on a canvas; lengths in CSS pixels.

import { isRightToLeft } from './labels.js';
import { paintRaster } from './raster.js';

export function createCanvasPainter(context, { family, ratio }) {
  let hatching = null;
  let raster;
  let drawnScene; // the scene in `raster`

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
    pixels(scene, x, y, cellWidth, cell) {
      // Scrolling and zooming reuse the raster.
      if (Object.keys(scene).some((key) => scene[key] !== drawnScene?.[key])) {
        raster ??= document.createElement('canvas');
        paintRaster(raster, scene);
        drawnScene = scene;
      }
      context.imageSmoothingEnabled = false;
      const { width, height } = raster;
      if (width === 0 || height === 0) return;
      const size = [width * scene.bin * cellWidth, height * scene.bin * cell];
      context.drawImage(raster, x, y, size[0], size[1]);
    },
    /** Calls paint(x, y) with a coordinate system rotated by `angle` about (x, y). */
    rotated(x, y, angle, paint) {
      if (!angle) return paint(x, y);
      context.save();
      context.translate(x, y);
      context.rotate(angle);
      paint(0, 0);
      return context.restore();
    },
    text(text, x, y, size, color, align, weight = 400) {
      context.font = `${weight} ${size}px ${family}`;
      context.direction = isRightToLeft(text) ? 'rtl' : 'ltr';
      context.textAlign = align;
      context.textBaseline = 'alphabetic';
      context.fillStyle = color;
      context.fillText(text, x, y);
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

/** A function that measures the width of text in a font family. */
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
  const own = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
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
