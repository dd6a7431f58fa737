/**
 * Heat maps of attention weights, on a canvas or as an element, with labels and a legend, usable with pointer,
 * keyboard and screen reader, for sequences from one token to more than 500. They do not need the
 * WebAssembly module, and show any matrix of numbers.
 *
 * Colors and font come from the page: the text color is the canvas's `color`, the surface is the background
 * behind it, light or dark. Custom properties set others: `--heatmap-ink`,
 * `--heatmap-surface`, `--heatmap-muted` (captions and numbers of the legend), `--heatmap-row` (the row under the pointer),
 * `--heatmap-column` (the column) and `--heatmap-font`. A change of the color scheme, or of an attribute of `<html>` or
 * `<body>`, redraws the picture.
 *
 * Keys, if the canvas has the focus: arrows, Home, End, Page Up and Page Down move the selected cell,
 * with Control to the first or last one; + and − zoom, 0 shows the whole matrix. Pointer: a click selects a cell, row or
 * column; dragging or the wheel scrolls a zoomed matrix; Control with the wheel, a pinch or a double click zooms.
 */
import type { PlatformBlob, PlatformCanvas, PlatformElement } from './arguments/platform.js';

/** A cell, counted from 0. */
export interface Cell {
  /** From the top. */
  row: number;
  /** From the left. */
  column: number;
}

/** The value and labels of a cell. */
export interface CellFacts extends Cell {
  /** The number of the cell, unchanged. */
  value: number;
  /** Whether the cell is masked: drawn as a dot or a hatching, regardless of its value. */
  unseen: boolean;
  /** Whether its masking is drawn as a hatching in any size. */
  hatched: boolean;
  /** The label of its row. */
  rowLabel: string;
  /** The label of its column. */
  columnLabel: string;
}

/** An array or a typed array. */
export type ListOfNumbers = ArrayLike<number>;

/**
 * The colors for small to large: a named scale, colors written `#rrggbb` or `rgb()` with even distances between
 * them, or a function from 0…1 to such a color (those of d3-scale-chromatic are).
 *
 * `'blues'` (the default) and `'greys'` begin where the surface ends, light or dark; `'viridis'` and `'cividis'` are the
 * same everywhere. All four can be told apart by the color-blind and in print.
 */
export type Colors =
  'blues' | 'cividis' | 'viridis' | 'greys' | readonly string[] | ((fraction: number) => string);

/** Options of a heat map. `null` and `undefined` mean the default. */
export interface HeatmapOptions {
  /**
   * The numbers, rows × columns: a tensor as `attention()` returns it; an array of rows; or a flat array, whose
   * dims are the numbers of `rowLabels` and `columnLabels`. −∞ is the score of a masked cell.
   */
  weights:
    | { readonly data: ListOfNumbers; readonly dims: readonly number[] }
    | readonly ListOfNumbers[]
    | ListOfNumbers;
  /** Which of the matrices to draw, from 0, if `weights` has more dims than two. */
  head?: number | null;
  /** Names of the rows, in any script. Default: 1, 2, 3… */
  rowLabels?: readonly string[] | null;
  /** Names of the columns. Default: 1, 2, 3… */
  columnLabels?: readonly string[] | null;
  /** A number for each weight: 1 for a masked cell, 2 for a masked cell with a hatching in any size. */
  unseen?: ListOfNumbers | null;
  /**
   * The range of the color scale: `'global'`, from 0 to the maximum; `'row'`, the same for each row separately;
   * or `[lowest, highest]`. Default: `'global'`.
   */
  domain?: 'global' | 'row' | readonly [number, number] | null;
  /**
   * Whether 0 is in the middle of the scale: purple below it, orange above, regardless of `colors`. Default: true if there
   * are negative numbers.
   */
  signed?: boolean | null;
  /**
   * Exponent of the color scale: the color is that of (value / maximum) ^ exponent. Below 1, small weights, which differ
   * most, get more of the colors. The legend shows it. Default: 0.7; 1 is linear.
   */
  exponent?: number | null;
  /** Values with a smaller magnitude are drawn like 0, without a number. Screen readers still read them. Default: 0. */
  threshold?: number | null;
  /** Default: `'blues'`. */
  colors?: Colors | null;
  /** Whether numbers are written in cells that are large enough. Default: true. */
  numbers?: boolean | null;
  /**
   * Whether numbers are percent: 83 in a cell, without the sign and · for what rounds to 0; 0 and 100 % at the ends of the
   * scale, 83.412 % in full. Default: false.
   */
  percent?: boolean | null;
  /** Whether there are labels. Default: true. */
  labels?: boolean | null;
  /** Whether to draw a legend, with the value of the cell under the pointer beside it. Default: true. */
  legend?: boolean | null;
  /**
   * Max width of a cell divided by its height, from 1 to 10. Cells are wider than high only as far as numbers and level
   * labels need it and there is room. Default: 1, square cells.
   */
  cellAspect?: number | null;
  /** The accessible name of the heat map. Default: `'Attention weights'`. */
  label?: string | null;
  /** Title of the rows, such as `'reads'`, in the corner. Default: none. */
  rowTitle?: string | null;
  /** Title of the columns, such as `'is read'`. Default: none. */
  columnTitle?: string | null;
  /** Name of the values, in the legend. Default: `'weight'`. */
  valueTitle?: string | null;
  /** The sentence that a screen reader says for a cell. Default: `'uncle → tea: 0.03127'`. */
  describe?: ((cell: CellFacts) => string) | null;
  /** The selected cell, which has the cross-hair and from which keys move. Default: the first. */
  selected?: Cell | null;
  /** Called after the user has selected a cell by pointer or key. */
  onSelect?: ((cell: CellFacts) => void) | null;
  /** Called when the pointer enters a cell or a label, and with `null` when it leaves. */
  onHover?: ((cell: CellFacts | null) => void) | null;
  /** Called after a zoom, and when the maximum zoom or the size of a cell (in CSS pixels) has changed. */
  onView?: ((view: { zoom: number; maxZoom: number; cell: number }) => void) | null;
}

/** Options of exported pictures. */
export interface StillOptions {
  /** Width in CSS pixels. Default: the width of the canvas. */
  width?: number;
  /** Height in CSS pixels. Default: the height that the matrix needs. */
  height?: number;
  /** Whether to draw the cross-hair of the selected cell. Default: true. */
  selected?: boolean;
  /** `true` or `false`: a plain dark or light theme. Default: the colors of the page. */
  dark?: boolean;
}

/** A heat map on a canvas, as `heatmap()` returns it. */
export interface Heatmap {
  /**
   * Changes options, and redraws. Absent options are unchanged; `null` resets one to its default. A matrix of another size
   * resets the zoom.
   * @throws what heatmap() throws; the heat map is then unchanged.
   */
  update(options: Partial<HeatmapOptions>): void;
  /** Selects a cell, and scrolls to it; `onSelect` is not called. */
  select(cell: Cell): void;
  /** Puts the cross-hair on a cell, a row or a column without selecting it, and back with `null`. */
  hover(cell: Partial<Cell> | null): void;
  /** The selected cell; `null` for an empty matrix. */
  readonly selected: Cell | null;
  /** Zooms by a factor around the selected cell; 0 shows the whole matrix. */
  zoomBy(factor: number): void;
  /** Shows the whole matrix. */
  fit(): void;
  /** The cell under a pointer; on a label only its row or column; `null` elsewhere. */
  cellAt(event: { clientX: number; clientY: number }): Partial<Cell> | null;
  /** The box of a cell in CSS pixels, relative to the canvas; `null` if nothing is drawn. */
  boxOf(cell: Cell): { x: number; y: number; width: number; height: number } | null;
  /** The best height for a canvas of this width, in CSS pixels. */
  heightFor(width: number): number;
  /** The whole matrix as a PNG file, with `ratio` (default 2) pixels per CSS pixel. */
  toPNG(options?: StillOptions & { ratio?: number }): Promise<PlatformBlob>;
  /** The whole matrix as an SVG document; labels are text elements. */
  toSVG(options?: StillOptions): string;
  /** Removes everything that heatmap() added to the canvas, and all listeners. */
  destroy(): void;
}

/**
 * Draws weights on a canvas, and redraws when its CSS size or the pixel density changes.
 * A canvas without a CSS size keeps the size of its attributes.
 *
 * The canvas becomes a grid for assistive technology, with the selected cell in its content. A matrix of 512 × 512
 * is drawn in less than a frame; pointer moves redraw only the cross-hair. Without a 2d context or observers, as in jsdom
 * and happy-dom, nothing is drawn, and all methods work except toPNG(), which rejects.
 *
 * @throws TypeError for a wrong kind of thing and for an unknown option.
 * @throws RangeError for sizes that do not fit each other.
 *
 * @example
 * ```html
 * <canvas width="420" height="260"></canvas>
 * <p></p>
 * <script type="module">
 *   import { heatmap } from 'attention-wasm/heatmap';
 *   const labels = ['made', 'tea'];
 *   const map = heatmap(document.querySelector('canvas'), {
 *     weights: [[0.9, 0.1], [0.2, 0.8]],
 *     rowLabels: labels,
 *     columnLabels: labels,
 *     onSelect: ({ rowLabel, columnLabel, value }) => {
 *       document.querySelector('p').textContent = `${rowLabel} → ${columnLabel}: ${value}`;
 *     },
 *   });
 *   console.log(map.selected); // { row: 0, column: 0 }
 *   console.log(map.toSVG().startsWith('<svg'), (await map.toPNG()).type); // true image/png
 * </script>
 * ```
 */
export function heatmap(canvas: PlatformCanvas, options: HeatmapOptions): Heatmap;

/**
 * `<attention-map>`: the heat map as an element, after defineAttentionMap(). It is as wide as its container and as high as
 * its matrix needs; with the attribute `fill` it fills its container. Large matrices have zoom buttons.
 *
 * Attributes: `weights` and `unseen` (JSON), `row-labels` and `column-labels` (words, or JSON), `row-title`, `column-title`,
 * `value-title`, `label`, `colors`, `domain`. All options except callbacks are also properties, as React 19, Vue and
 * Svelte set them, and arguments of update(). Events: `select` and `hover`, with CellFacts (or null) as `detail`;
 * in React `onselect` and `onhover` in lower case, because React has its own `onSelect`. Without a 2d context, as in
 * jsdom and happy-dom, nothing is drawn, and toSVG() works. CSS parts: `canvas`, `zoom`, `button`, `message`. The element shows errors in its
 * options as text.
 */
export interface AttentionMapElement
  extends
    PlatformElement,
    Partial<Omit<HeatmapOptions, 'onSelect' | 'onHover' | 'onView' | 'selected'>> {
  /** Changes options; drawn before the next frame. */
  update(options: Partial<Omit<HeatmapOptions, 'onSelect' | 'onHover' | 'onView'>>): void;
  /** As {@link Heatmap.select}. */
  select(cell: Cell): void;
  /** Puts the cross-hair on a cell, a row or a column without selecting it, and back with `null`. */
  hover(cell: Partial<Cell> | null): void;
  /** As {@link Heatmap.selected}; setting it is `select()`. */
  get selected(): Cell | null;
  set selected(cell: Cell | null | undefined);
  /** As {@link Heatmap.zoomBy}. */
  zoomBy(factor: number): void;
  /** As {@link Heatmap.fit}. */
  fit(): void;
  /** As {@link Heatmap.cellAt}. */
  cellAt(event: { clientX: number; clientY: number }): Partial<Cell> | null;
  /** As {@link Heatmap.heightFor}. */
  heightFor(width: number): number;
  /** As {@link Heatmap.toPNG}. */
  toPNG(options?: StillOptions & { ratio?: number }): Promise<PlatformBlob>;
  /** As {@link Heatmap.toSVG}. */
  toSVG(options?: StillOptions): string;
}

/**
 * Properties and attributes of `<attention-map>` in JSX, to declare the element for React and Preact. Options that can be
 * attributes also accept strings: `weights="[[0.9, 0.1]]"`. The declaration, a block of TypeScript for a file of yours, is in the
 * guide to React, Vue and Svelte: `web/reference/guides/frameworks.md` of the package.
 */
export interface AttentionMapProps extends Partial<
  Omit<
    HeatmapOptions,
    | 'weights'
    | 'unseen'
    | 'rowLabels'
    | 'columnLabels'
    | 'domain'
    | 'onSelect'
    | 'onHover'
    | 'onView'
  >
> {
  /** The matrix, as data or as JSON. */
  weights?: HeatmapOptions['weights'] | string;
  /** Cells that no query may attend to, as data or as JSON. */
  unseen?: HeatmapOptions['unseen'] | string;
  /** Labels of the rows: an array, or words separated by spaces, or JSON. */
  rowLabels?: HeatmapOptions['rowLabels'] | string;
  /** Labels of the columns: an array, or words separated by spaces, or JSON. */
  columnLabels?: HeatmapOptions['columnLabels'] | string;
  /** The values of the palest and the deepest color, as an array or as JSON. */
  domain?: HeatmapOptions['domain'] | string;
  /** Fills its container, instead of having the height that the matrix needs. */
  fill?: boolean | '';
  /** Called after the user has selected a cell. */
  onselect?(event: { readonly detail: CellFacts }): void;
  /** Called when the pointer enters or leaves a cell. */
  onhover?(event: { readonly detail: CellFacts | null }): void;
}

/** `AttentionMapProps` for Solid, which listens by `on:` and sets properties by `prop:`. */
export type AttentionMapSolidProps = AttentionMapProps & {
  /** Called after the user has selected a cell. */
  'on:select'?(event: CustomEventOf<CellFacts>): void;
  /** Called when the pointer enters or leaves a cell. */
  'on:hover'?(event: CustomEventOf<CellFacts | null>): void;
} & { [Option in keyof HeatmapOptions as `prop:${Option}`]?: HeatmapOptions[Option] };

/** A CustomEvent, without the types of the DOM. */
interface CustomEventOf<Detail> {
  /** The cell of the event; null where the pointer has left the cells. */
  readonly detail: Detail;
}

/**
 * Registers the element. Does nothing if the name (default: `'attention-map'`) is registered already, or without custom
 * elements, as in Node.js.
 *
 * @example
 * ```html
 * <attention-map weights="[[0.9, 0.1], [0.2, 0.8]]" row-labels="made tea" column-labels="made tea"></attention-map>
 * <script type="module">
 *   import { defineAttentionMap } from 'attention-wasm/heatmap';
 *   defineAttentionMap();
 *   const map = document.querySelector('attention-map');
 *   map.addEventListener('select', ({ detail }) => console.log(detail.value));
 *   map.weights = [[0.5, 0.5], [0, 1]]; // options are properties
 *   console.log(map.weights[1]); // [ 0, 1 ]
 * </script>
 * ```
 */
export function defineAttentionMap(name?: string): void;

/**
 * The heat map as an SVG document, without a page: in Node.js or a worker. Word widths are estimated. The option `selected`
 * draws the cross-hair.
 *
 * @example
 * ```js
 * import { heatmapSVG } from 'attention-wasm/heatmap';
 *
 * const weights = [[0.9, 0.1], [0.2, 0.8]];
 * const svg = heatmapSVG({ weights, rowLabels: ['made', 'tea'] }, { width: 300, dark: true });
 * console.log([svg.slice(0, 4)], svg.includes('>made<') ? 1 : 0); // [ '<svg' ] 1
 * ```
 */
export function heatmapSVG(
  options: HeatmapOptions,
  paper?: { width?: number; height?: number; dark?: boolean },
): string;

/**
 * Draws a matrix on a canvas once, without labels, one pixel per cell (above 256 rows or columns several cells share a
 * pixel): for overviews of many matrices. CSS sets the size of the canvas, with `image-rendering: pixelated`.
 *
 * @example
 * ```html
 * <canvas width="60" height="60" style="image-rendering: pixelated"></canvas>
 * <script type="module">
 *   import { thumbnail } from 'attention-wasm/heatmap';
 *   const canvas = document.querySelector('canvas');
 *   thumbnail(canvas, { weights: [[0.9, 0.1], [0.2, 0.8]] });
 *   console.log(canvas.width, canvas.height); // 2 2
 * </script>
 * ```
 */
export function thumbnail(canvas: PlatformCanvas, options: HeatmapOptions): void;

/** The colors of a heat map, for elements beside it. */
export interface ColorScale {
  /** Whether the surface is dark. */
  readonly dark: boolean;
  /** The color of a fraction from 0 to 1 (signed: from −1 to 1), and a text color with sufficient contrast on it. */
  colorOf(fraction: number): { fill: string; text: string };
  /** The same color as a pixel of ImageData. */
  pixelOf(fraction: number): number;
}

/**
 * The color scale of a heat map. `surface` is the background color, written `#rrggbb` or `rgb()`, where the scale starts;
 * the other options are those of heatmap().
 * @throws RangeError for an invalid color or an unknown scale.
 *
 * @example
 * ```js
 * import { colorScale } from 'attention-wasm/heatmap';
 *
 * const scale = colorScale({ surface: '#ffffff', colors: ['#ffffff', '#000000'] });
 * console.log([scale.dark]); // [ false ]
 * console.log(scale.colorOf(1)); // the fill of the maximum, and the color of text on it
 * ```
 */
export function colorScale(options: {
  surface: string;
  colors?: Colors;
  signed?: boolean;
  exponent?: number;
}): ColorScale;

/**
 * A number in the format of the heat map's read-out: `'0.43120'`, `'−1.7321'`, `'3.1 × 10⁻⁵'`. `decimals`: digits after
 * the point (default: 5 below 1, 4 below 100, otherwise 2), except with a power of ten.
 *
 * @example
 * ```js
 * import { formatValue } from 'attention-wasm/heatmap';
 *
 * console.log([formatValue(0.4312), formatValue(0.4312, { decimals: 2 })]); // [ '0.43120', '0.43' ]
 * console.log([formatValue(-Math.sqrt(3))]); // [ '−1.7321' ]
 * ```
 */
export function formatValue(value: number, options?: { decimals?: number }): string;
/**
 * A number with two digits, for small cells: `'.43'`, `'1.0'`, `'−3.2'`.
 *
 * @example
 * ```js
 * import { formatBriefly } from 'attention-wasm/heatmap';
 *
 * console.log([0.4312, 1, -3.2].map(formatBriefly)); // [ '.43', '1.0', '−3.2' ]
 * ```
 */
export function formatBriefly(value: number): string;
/**
 * A number at an end of the legend, with three significant digits: `'0.431'`, `'2'`.
 *
 * @example
 * ```js
 * import { formatEnd } from 'attention-wasm/heatmap';
 *
 * console.log([0.4312, 2].map(formatEnd)); // [ '0.431', '2' ]
 * ```
 */
export function formatEnd(value: number): string;

/**
 * A token as a label: leading and trailing white space, control characters and invisible characters (U+200B, U+00AD,
 * direction marks such as U+202E) are replaced with visible symbols. Joiners and variation selectors stay within emoji and
 * after letters of joining scripts such as Arabic and Devanagari.
 *
 * @example
 * ```js
 * import { visibleText } from 'attention-wasm/heatmap';
 *
 * console.log([visibleText(' tea\n')]); // [ '␣tea↵' ]
 * ```
 */
export function visibleText(text: string): string;

/**
 * The characters of a text that cannot be seen, as in {@link visibleText}, with their indices: to mark them in a text of
 * your own.
 *
 * @example
 * ```js
 * import { invisibleCharacters } from 'attention-wasm/heatmap';
 *
 * console.log(invisibleCharacters('te\u200ba').map(([index]) => index)); // [ 2 ]
 * ```
 */
export function invisibleCharacters(text: string): [index: number, character: string][];

declare global {
  interface HTMLElementTagNameMap {
    'attention-map': AttentionMapElement;
  }
}
