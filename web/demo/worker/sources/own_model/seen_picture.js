// A picture as an image model is given it: cut and scaled as its preprocessor_config.json says, its numbers normalised:
// x = (value · factor − mean) / deviation, for each of red, green and blue.

const colors = 3;
const most = 24; // patches a side: each is compared with each

const three = (value, otherwise) => (Array.isArray(value) ? value : Array(colors).fill(otherwise));

/** { height, width }, a number, or undefined. */
function sidesOf(size) {
  if (Number.isInteger(size)) return [size, size];
  return Number.isInteger(size?.height) ? [size.height, size.width] : undefined;
}

/** What its files say about pictures: { sides: [height, width], shortest?, factor, mean, deviation }. */
export function rulesOf(given, { image, patch }) {
  const crop = given.do_center_crop === false ? undefined : sidesOf(given.crop_size);
  const sides = crop ?? sidesOf(given.size) ?? image;
  const isNormalised = given.do_normalize !== false;
  return {
    sides: sides.map((side, axis) => Math.min(side, most * patch[axis])),
    shortest: crop && (given.size?.shortest_edge ?? Math.min(...crop)),
    factor: given.rescale_factor ?? 1 / 255,
    mean: isNormalised ? three(given.image_mean, 0.5) : three(null, 0),
    deviation: isNormalised ? three(given.image_std, 0.5) : three(null, 1),
  };
}

/** Red, green, blue and alpha of each pixel → 3 × height × width. */
export function normalised(rgba, { sides: [height, width], factor, mean, deviation }) {
  const size = height * width;
  const data = new Float32Array(colors * size);
  for (let color = 0; color < colors; ++color) {
    for (let at = 0; at < size; ++at) {
      data[color * size + at] = (rgba[4 * at + color] * factor - mean[color]) / deviation[color];
    }
  }
  return { data, dims: [colors, height, width] };
}

/** Where the whole picture is drawn for its middle to be seen; all of it where nothing is cut. */
function placeOf(bitmap, { sides: [height, width], shortest }) {
  if (shortest === undefined) return [0, 0, width, height];
  const scale = shortest / Math.min(bitmap.width, bitmap.height);
  const [wide, high] = [bitmap.width * scale, bitmap.height * scale];
  return [(width - wide) / 2, (height - high) / 2, wide, high];
}

/** { pixels, bitmap }: what the model is given, and the same to be looked at; rejects with a sentence. */
export async function seePicture(file, rules) {
  const [height, width] = rules.sides;
  let whole;
  try {
    whole = await createImageBitmap(file);
  } catch (cause) {
    throw new Error(`“${file.name}” is no picture that this browser can read`, { cause });
  }
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.fillStyle = '#fff'; // behind what is transparent
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(whole, ...placeOf(whole, rules));
  whole.close();
  const { data } = context.getImageData(0, 0, width, height);
  return { pixels: normalised(data, rules), bitmap: canvas.transferToImageBitmap() };
}
