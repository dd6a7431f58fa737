// Image preprocessing as in preprocessor_config.json: crop, resize and normalize, x = (value · factor − mean) /
// deviation for each of red, green and blue.

const colors = 3;
const maxPatches = 24; // per side: attention is quadratic in them

const three = (value, otherwise) => (Array.isArray(value) ? value : Array(colors).fill(otherwise));

/** A size: { height, width }, a number, or undefined. */
function sidesOf(size) {
  if (Number.isInteger(size)) return [size, size];
  return Number.isInteger(size?.height) ? [size.height, size.width] : undefined;
}

/** Preprocessing parameters from the model's files: { sides: [height, width], shortest?, factor, mean, deviation }. */
export function rulesOf(given, { image, patch }) {
  const crop = given.do_center_crop === false ? undefined : sidesOf(given.crop_size);
  const sides = crop ?? sidesOf(given.size) ?? image;
  const isNormalized = given.do_normalize !== false;
  return {
    sides: sides.map((side, axis) => Math.min(side, maxPatches * patch[axis])),
    shortest: crop && (given.size?.shortest_edge ?? Math.min(...crop)),
    factor: given.rescale_factor ?? 1 / 255,
    mean: isNormalized ? three(given.image_mean, 0.5) : three(null, 0),
    deviation: isNormalized ? three(given.image_std, 0.5) : three(null, 1),
  };
}

/** RGBA pixels → 3 × height × width. */
export function normalized(rgba, { sides: [height, width], factor, mean, deviation }) {
  const size = height * width;
  const data = new Float32Array(colors * size);
  for (let color = 0; color < colors; ++color) {
    for (let at = 0; at < size; ++at) {
      data[color * size + at] = (rgba[4 * at + color] * factor - mean[color]) / deviation[color];
    }
  }
  return { data, dims: [colors, height, width] };
}

/**
 * Target rectangle of the whole image on a canvas of the size of the crop, which shows its center.
 * @param {ImageBitmap} bitmap
 * @param {ReturnType<typeof rulesOf>} rules
 * @returns {[x: number, y: number, width: number, height: number]}
 */
function placeOf(bitmap, { sides: [height, width], shortest }) {
  if (shortest === undefined) return [0, 0, width, height];
  const scale = shortest / Math.min(bitmap.width, bitmap.height);
  const [wide, high] = [bitmap.width * scale, bitmap.height * scale];
  return [(width - wide) / 2, (height - high) / 2, wide, high];
}

/**
 * { pixels, bitmap }: the model's input, and the same as an image; rejects with a message.
 * @param {File} file
 * @param {ReturnType<typeof rulesOf>} rules
 */
export async function seePicture(file, rules) {
  const [height, width] = rules.sides;
  let whole;
  try {
    whole = await createImageBitmap(file);
  } catch (cause) {
    throw new Error(`“${file.name}” is no picture that this browser can read`, { cause });
  }
  const canvas = new OffscreenCanvas(width, height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (
    canvas.getContext('2d', { willReadFrequently: true })
  );
  context.fillStyle = '#fff'; // background of transparent pixels
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(whole, ...placeOf(whole, rules));
  whole.close();
  const { data } = context.getImageData(0, 0, width, height);
  return { pixels: normalized(data, rules), bitmap: canvas.transferToImageBitmap() };
}
