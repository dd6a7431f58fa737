/**
 * Weights as a picture, on a canvas or as an element: with labels and a legend, for the pointer, the
 * keyboard and the screen reader, from one word to five hundred and more. It does not need the
 * WebAssembly module, and draws any matrix of numbers.
 *
 * Colours and letters are the page's own: the ink is the canvas's `color`, the surface the background
 * behind it, the font its font, light or dark. Custom properties name others: `--heatmap-ink`,
 * `--heatmap-surface`, `--heatmap-muted` (captions and numbers of the legend), `--heatmap-row` (the row that is pointed at),
 * `--heatmap-column` (the column) and `--heatmap-font`. A change of the colour scheme, or of an attribute of `<html>` or
 * `<body>`, is followed at once.
 *
 * Keys, when the canvas has the focus: the arrows, Home, End, Page Up and Page Down go from cell to cell,
 * with Control to the first and the last; + and − zoom, 0 shows all. Pointers: choose a cell or a label; when zoomed in,
 * drag or scroll; Control with the wheel, two fingers or a double click zoom.
 */
import type { PlatformBlob, PlatformCanvas, PlatformElement } from './arguments/platform.js';

/** A cell, counted from 0. */
export interface Cell {
  /** From the top. */
  row: number;
  /** From the left. */
  column: number;
}

/** What there is to say about a cell. */
export interface CellFacts extends Cell {
  /** The number as it was given. */
  value: number;
  /** Out of sight for its row: drawn as a dot or a hatching, whatever its value is. */
  unseen: boolean;
  /** The name of its row. */
  rowLabel: string;
  /** The name of its column. */
  columnLabel: string;
}

/** An array or a typed array. */
export type ListOfNumbers = ArrayLike<number>;

/**
 * The colours for small to large: a named scale, colours written `#rrggbb` or `rgb()` with even distances between
 * them, or a function from 0…1 to such a colour (those of d3-scale-chromatic are).
 *
 * `'blues'` (the default) and `'greys'` begin where the surface ends, light or dark; `'viridis'` and `'cividis'` are the
 * same everywhere. All four can be told apart by the colour-blind and in print.
 */
export type Colors =
  'blues' | 'cividis' | 'viridis' | 'greys' | readonly string[] | ((share: number) => string);

/** What is drawn, and how. `null` and `undefined` count as not given. */
export interface HeatmapOptions {
  /**
   * The numbers, rows × columns: a tensor as `attention()` returns it; an array of rows; or one flat array, of which
   * `rowLabels` and `columnLabels` say the size. −∞ is a score out of sight.
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
  /** As many numbers as weights: 1 for a cell that its row may not see. */
  unseen?: ListOfNumbers | null;
  /**
   * What the colours go from and to: `'global'`, from 0 to the largest; `'row'`, the same for each row by itself;
   * or `[lowest, highest]`. Default: `'global'`.
   */
  domain?: 'global' | 'row' | readonly [number, number] | null;
  /**
   * Whether 0 is in the middle: purple below it, orange above, whatever `colors` is. Default: if there are negative
   * numbers.
   */
  signed?: boolean | null;
  /**
   * How the scale is bent: a share of the largest is coloured as its power. Less than 1 gives small weights, where the
   * differences are, more of the colours. The legend shows it. Default: 0.7; 1 is straight.
   */
  exponent?: number | null;
  /** Numbers nearer to 0 than this are drawn as 0 is, without a number. They still are read out. Default: 0. */
  threshold?: number | null;
  /** Default: `'blues'`. */
  colors?: Colors | null;
  /** Whether numbers are written in cells that are large enough. Default: true. */
  numbers?: boolean | null;
  /** Whether there are labels. Default: true. */
  labels?: boolean | null;
  /** Whether there is a legend, with the cell that is pointed at read out beside it. Default: true. */
  legend?: boolean | null;
  /** The accessible name of the whole. Default: `'Attention weights'`. */
  label?: string | null;
  /** What the rows are, such as `'reads'`; written in the corner. Default: nothing. */
  rowTitle?: string | null;
  /** What the columns are, such as `'is read'`. Default: nothing. */
  columnTitle?: string | null;
  /** What the numbers are, for the legend. Default: `'weight'`. */
  valueTitle?: string | null;
  /** The sentence that a screen reader says for a cell. Default: `'uncle → tea: 0.03127'`. */
  describe?: ((cell: CellFacts) => string) | null;
  /** The cell that has the cross-hair, and from which keys go on. Default: the first. */
  selected?: Cell | null;
  /** After somebody has chosen a cell, by pointer or key. */
  onSelect?: ((cell: CellFacts) => void) | null;
  /** While a cell or a label is pointed at; `null` when nothing is any more. */
  onHover?: ((cell: CellFacts | null) => void) | null;
  /** After a zoom, and when the largest zoom or the size of a cell (in CSS pixels) has changed. */
  onView?: ((view: { zoom: number; mostZoom: number; cell: number }) => void) | null;
}

/** How the picture that is taken away differs from what is seen. */
export interface StillOptions {
  /** In CSS pixels. Default: that of the canvas. */
  width?: number;
  /** In CSS pixels. Default: as much as it takes. */
  height?: number;
  /** Whether the selected cell has its cross-hair. Default: true. */
  selected?: boolean;
  /** In plain dark or light colours, whatever the page has. Default: the page's own. */
  dark?: boolean;
}

/** A canvas that is drawn, as `heatmap()` returns it. */
export interface Heatmap {
  /**
   * Changes some options, and draws. What is not named stays, `null` takes it back. A matrix of another size is shown
   * as a whole again.
   * @throws what heatmap() throws, and then nothing has changed.
   */
  update(options: Partial<HeatmapOptions>): void;
  /** Selects a cell, and scrolls to it; `onSelect` is not called. */
  select(cell: Cell): void;
  /** Puts the cross-hair on a cell, a row or a column without selecting it, and back with `null`. */
  hover(cell: Partial<Cell> | null): void;
  /** The cell that has the cross-hair; `null` if there are none. */
  readonly selected: Cell | null;
  /** Zooms by a factor around the selected cell; 0 shows all. */
  zoomBy(factor: number): void;
  /** Shows all. */
  fit(): void;
  /** The cell under a pointer; on a label only its row or column; `null` elsewhere. */
  cellAt(event: { clientX: number; clientY: number }): Partial<Cell> | null;
  /** Where a cell is drawn, in CSS pixels from the canvas's corner; `null` if nothing is. */
  boxOf(cell: Cell): { x: number; y: number; width: number; height: number } | null;
  /** How high a canvas of this width is best, in CSS pixels. */
  heightFor(width: number): number;
  /** All of the matrix as a PNG file, with `ratio` (2) pixels for a CSS pixel. */
  toPNG(options?: StillOptions & { ratio?: number }): Promise<PlatformBlob>;
  /** All of the matrix as an SVG document, with text as text. */
  toSVG(options?: StillOptions): string;
  /** Takes away what heatmap() has added to the canvas, and stops listening. */
  destroy(): void;
}

/**
 * Draws weights on a canvas, and keeps them drawn: at any size that CSS gives the canvas, at any density of pixels.
 * A canvas that CSS leaves alone keeps the size of its attributes.
 *
 * The canvas becomes a grid for assistive technology, with the selected cell in its content. A picture of 512 × 512
 * is drawn in less than a frame; pointing at it draws only the cross-hair. Where the canvas has no 2d context, or the page
 * no observers, as in jsdom and happy-dom, nothing is drawn; all methods work but toPNG(), which rejects.
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
 * `<attention-map>`: the heat map as an element, after defineAttentionMap(). It is as wide as its place and as high as its
 * matrix takes, or fills the box that it is given if it has the attribute `fill`. Where cells are small it has buttons to zoom.
 *
 * Attributes: `weights` and `unseen` (JSON), `row-labels` and `column-labels` (words, or JSON), `row-title`, `column-title`,
 * `value-title`, `label`, `colors`, `domain`. Every option that is no callback is a property as well, as React 19, Vue and
 * Svelte set them, and any can be given to update(). Events: `select` and `hover`, with CellFacts (or null) as `detail`;
 * in React `onselect` and `onhover`, in small letters, for `onSelect` is an event of its own there. Where nothing can be
 * drawn, as in jsdom and happy-dom, nothing is. Parts for CSS: `canvas`, `zoom`, `button`, `message`. What is wrong with the options is said
 * in the element.
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
  /** As {@link Heatmap.heightFor}. */
  heightFor(width: number): number;
  /** As {@link Heatmap.toPNG}. */
  toPNG(options?: StillOptions & { ratio?: number }): Promise<PlatformBlob>;
  /** As {@link Heatmap.toSVG}. */
  toSVG(options?: StillOptions): string;
}

/**
 * Properties and attributes of `<attention-map>` in JSX, for the declaration that React, Preact and Solid ask for; the
 * README has it. Options that can be written as attributes take text as well: `weights="[[0.9, 0.1]]"`.
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
  /** Fills the box that it is given, instead of being as high as its matrix takes. */
  fill?: boolean | '';
  /** Somebody has chosen a cell; in Solid it is `on:select`, which is given an `Event`. */
  onselect?(event: { readonly detail: CellFacts }): void;
  /** Somebody points at a cell, or at none any more; in Solid it is `on:hover`. */
  onhover?(event: { readonly detail: CellFacts | null }): void;
}

/**
 * Names the element, `'attention-map'` if not told otherwise. Does nothing if the name is taken already, or where there are no
 * elements, as in Node.
 *
 * @example
 * ```html
 * <attention-map weights="[[0.9, 0.1], [0.2, 0.8]]" row-labels="made tea" column-labels="made tea"></attention-map>
 * <script type="module">
 *   import { defineAttentionMap } from 'attention-wasm/heatmap';
 *   defineAttentionMap();
 *   const map = document.querySelector('attention-map');
 *   map.addEventListener('select', ({ detail }) => console.log(detail.value));
 *   map.weights = [[0.5, 0.5], [0, 1]]; // every option that is no callback is a property
 *   console.log(map.weights[1]); // [ 0, 1 ]
 * </script>
 * ```
 */
export function defineAttentionMap(name?: string): void;

/**
 * The picture as an SVG document, without a page: in Node, in a worker. Widths of words are estimated. With `selected` the cell has
 * its cross-hair.
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
 * Draws a matrix on a canvas once, a pixel for each cell (more cells to a pixel if there are more than 256), without labels:
 * for many beside each other. CSS gives the canvas its size, with `image-rendering: pixelated`.
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

/** The colours of a heat map, for what stands beside one. */
export interface ColorScale {
  /** Whether the surface is dark. */
  readonly dark: boolean;
  /** Of a share from 0 to 1 (signed: from −1 to 1): the colour, and the colour of text that can be read on it. */
  colorOf(share: number): { fill: string; text: string };
  /** The same colour as a pixel of ImageData. */
  pixelOf(share: number): number;
}

/**
 * `surface` is the colour behind, written `#rrggbb` or `rgb()`: the scale starts there. The other options are heatmap()'s.
 * @throws RangeError for a colour or a name of colours that is none.
 *
 * @example
 * ```js
 * import { colorScale } from 'attention-wasm/heatmap';
 *
 * const scale = colorScale({ surface: '#ffffff', colors: ['#ffffff', '#000000'] });
 * console.log([scale.dark]); // [ false ]
 * console.log(scale.colorOf(1)); // the fill of a share, and the colour of text on it
 * ```
 */
export function colorScale(options: {
  surface: string;
  colors?: Colors;
  signed?: boolean;
  exponent?: number;
}): ColorScale;

/**
 * A number as the heat map reads it out: `'0.43120'`, `'−1.7320'`, `'3.1 × 10⁻⁵'`. `decimals` is how many there are, where the number
 * is large enough to have them.
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
 * A number in a small place: `'.43'`, `'1.0'`, `'−3.2'`.
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
 * A number at the end of a scale, in three figures: `'0.431'`, `'2'`.
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
 * A token as a label: white space at its ends, control characters and invisible characters (U+200B, U+00AD, those that
 * turn the direction of a text such as U+202E) as signs that can be seen. Joiners stay within emoji and after letters
 * of scripts that join, such as Arabic and Devanagari; so do variation selectors.
 *
 * @example
 * ```js
 * import { visibleText } from 'attention-wasm/heatmap';
 *
 * console.log([visibleText(' tea\n')]); // [ '␣tea↵' ]
 * ```
 */
export function visibleText(text: string): string;

declare global {
  interface HTMLElementTagNameMap {
    'attention-map': AttentionMapElement;
  }
}
