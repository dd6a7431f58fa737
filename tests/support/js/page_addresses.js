// Addresses that the first version of the page wrote: the links of its examples, views, modes, settings and edits, and
// embedded pages. Each has the fields of the state that it sets (the others have their default), what is visible, and the
// text fields as the reader sees them.

const elephant = 'The pink elephant tried to get into the car but it was too big.';
const tired = 'The animal did not cross the street because it was too tired.';
const wide = 'The animal did not cross the street because it was too wide.';
const car = 'The red car is in front of the house.';
const carInFrench = 'La voiture rouge est devant la maison.';
const cups = '#source=ngrams&text=tea+cup+of+tea';
const ngrams = { source: 'ngrams', text: 'tea cup of tea' };
const written = ['tea cup of tea'];

/** { address, state, visible: name of a view, mode or 'tour', fields: texts, '' for one that the model writes } */
export const pageAddresses = [
  { address: '', state: { mode: 'cross', row: 2 }, visible: 'matrix', fields: ['', car] },
  { address: '#mode=self', state: {}, visible: 'matrix', fields: [car] },
  { address: '#mode=cross', state: { mode: 'cross' }, visible: 'matrix', fields: ['', car] },
  // Links of examples.
  {
    address: '#text=Zuko+made+his+uncle+tea.',
    state: { text: 'Zuko made his uncle tea.' },
    visible: 'matrix',
    fields: ['Zuko made his uncle tea.'],
  },
  {
    address:
      '#mode=cross&text=The+pink+elephant+tried+to+get+into+the+car+but+it+was+too+big.&row=2&column=3',
    state: { mode: 'cross', text: elephant, row: 2, column: 3 },
    visible: 'matrix',
    fields: ['', elephant],
  },
  {
    address:
      '#text=The+animal+did+not+cross+the+street+because+it+was+too+tired.&view=compare&beside=text&otherText=The+animal+did+not+cross+the+street+because+it+was+too+wide.',
    state: { text: tired, view: 'compare', beside: 'text', otherText: wide },
    visible: 'compare',
    fields: [tired],
  },
  {
    address:
      '#mode=cross&text=A+small+black+dog+is+sleeping+under+the+table.&french=Un+petit+chien+noir+dort+sous+la+table.',
    state: {
      mode: 'cross',
      text: 'A small black dog is sleeping under the table.',
      french: 'Un petit chien noir dort sous la table.',
    },
    visible: 'matrix',
    fields: [
      'Un petit chien noir dort sous la table.',
      'A small black dog is sleeping under the table.',
    ],
  },
  {
    address:
      '#mode=cross&source=ngrams&text=L%E2%80%99accord+sur+la+zone&context=The+agreement+on+the+Area',
    state: {
      mode: 'cross',
      source: 'ngrams',
      text: 'L’accord sur la zone',
      context: 'The agreement on the Area',
    },
    visible: 'matrix',
    fields: ['L’accord sur la zone', 'The agreement on the Area'],
  },
  // A text of the address may be named by its field.
  {
    address: `#mode=cross&first=${encodeURIComponent(carInFrench)}&second=${encodeURIComponent(car)}`,
    state: { mode: 'cross', french: carInFrench, text: car },
    visible: 'matrix',
    fields: [carInFrench, car],
  },
  // Views and modes.
  {
    address: `${cups}&view=lines`,
    state: { ...ngrams, view: 'lines' },
    visible: 'lines',
    fields: written,
  },
  {
    address: `${cups}&view=heads&heads=4`,
    state: { ...ngrams, view: 'heads', heads: 4 },
    visible: 'heads',
    fields: written,
  },
  {
    address: `${cups}&view=table`,
    state: { ...ngrams, view: 'table' },
    visible: 'table',
    fields: written,
  },
  {
    address: `${cups}&view=compare&beside=scale%3Aone`,
    state: { ...ngrams, view: 'compare' },
    visible: 'compare',
    fields: written,
  },
  // Soft lookup was a mode; it is the first step of the tour.
  { address: '#mode=lookup', state: { tour: 0 }, visible: 'tour', fields: [] },
  {
    address:
      '#mode=lookup&lookup=%7B%22query%22%3A%22a%22%2C%22entries%22%3A%5B%5B%22a%22%2C%221%22%5D%5D%2C%22temperature%22%3A2%7D',
    state: { tour: 0, lookup: { query: 'a', entries: [['a', '1']], temperature: 2 } },
    visible: 'tour',
    fields: [],
  },
  {
    address:
      '#mode=learn&learn=sort+heads+1+positions+0+divided+0+rate+0.01+seed+12&pairs=ab+ba%0Acd+dc',
    state: {
      mode: 'learn',
      learn: 'sort heads 1 positions 0 divided 0 rate 0.01 seed 12',
      pairs: 'ab ba\ncd dc',
    },
    visible: 'learn',
    fields: [],
  },
  { address: '#tour=3', state: { mode: 'cross', tour: 3 }, visible: 'tour', fields: [] },
  { address: '#tour=11', state: { mode: 'cross', tour: 11 }, visible: 'tour', fields: [] },
  // Settings, blocks and beginnings.
  {
    address: `${cups}&stage=masked&causal=yes&kind=softmax&scale=own&ownScale=0.5&temperature=2&softcap=3&windowLeft=2&windowRight=1`,
    state: {
      ...ngrams,
      ...{ stage: 'masked', causal: true, scale: 'own', ownScale: 0.5, temperature: 2 },
      ...{ softcap: 3, windowLeft: 2, windowRight: 1 },
    },
    visible: 'matrix',
    fields: written,
  },
  {
    address: `${cups}&kind=elu&stage=difference`,
    state: { ...ngrams, kind: 'elu', stage: 'difference' },
    visible: 'matrix',
    fields: written,
  },
  {
    address: `${cups}&merge=no&hideSpecial=no&average=yes&heads=2&positions=yes&sort=total&threshold=0.1&colors=viridis&perRow=yes&numbers=decimals&pair=ab`,
    state: {
      ...ngrams,
      ...{ merge: false, hideSpecial: false, average: true, heads: 2, positions: true },
      ...{
        sort: 'total',
        threshold: 0.1,
        colors: 'viridis',
        perRow: true,
        numbers: 'decimals',
        pair: 'ab',
      },
    },
    visible: 'matrix',
    fields: written,
  },
  {
    address: '#mode=cross&part=cross.0&head=1&row=2&column=1&block=cross%3A2-1&inside=yes',
    state: {
      mode: 'cross',
      ...{ part: 'cross.0', head: 1, row: 2, column: 1, block: 'cross:2-1' },
      // They were one.
      ...{ whole: true, lens: true },
    },
    visible: 'matrix',
    fields: ['', car],
  },
  {
    // The flow was an inspector.
    address: '#inspector=yes&fused=yes',
    state: { flow: true, fused: true },
    visible: 'matrix',
    fields: [car],
  },
  {
    address: '#mode=cross&begin=Une&sweep=heads&flow=yes&box=score',
    state: { mode: 'cross', begin: 'Une', sweep: 'heads', flow: true, box: 'score' },
    visible: 'matrix',
    fields: ['', car],
  },
  {
    address: '#source=files&text=1+2&file=weights.npy&example=3',
    state: { source: 'files', text: '1 2', file: 'weights.npy', example: 3 },
    visible: '',
    fields: ['1 2'],
  },
  // Fields that came later.
  {
    address: `${cups}&view=heads&colorBy=previous&readFrom=510`,
    state: { ...ngrams, view: 'heads', colorBy: 'previous', readFrom: 510 },
    visible: 'heads',
    fields: written,
  },
  {
    address:
      '#source=own&text=two+cats&model=gpt2+548105171+9f86d081+my+gpt2&difference=his+%2F+her',
    state: {
      ...{ source: 'own', text: 'two cats', difference: 'his / her' },
      model: 'gpt2 548105171 9f86d081 my gpt2',
    },
    visible: '',
    fields: ['two cats'],
  },
];

/** Addresses of embedded pages. */
export const embeddedAddresses = [
  { address: '', visible: 'matrix' },
  { address: `${cups}&row=2&column=3`, visible: 'matrix' },
  { address: `${cups}&view=table`, visible: 'table' },
  { address: `${cups}&view=lines`, visible: 'lines' },
  { address: `${cups}&view=heads&heads=4`, visible: 'heads' },
  { address: '#mode=lookup', visible: '' },
];
