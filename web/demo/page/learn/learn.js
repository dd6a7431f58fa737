// Mode "Learn": a small Transformer learns a task in a worker of its own, and its attention is drawn while it does.

import {
  choices,
  isValid,
  ownSettings,
  readSettings,
  writeSettings,
} from '../../learn_settings.js';
import { firstPairs, readPairs } from '../../pairs_task.js';
import { longestShared, writeAddress } from '../address.js';
import { element, write } from '../element.js';
import { createHeads } from '../views/heads.js';
import { createLossCurve } from './loss_curve.js';
import { directions, names, purposes, says, scoreText, solvedText, unitOf } from './task_texts.js';
import './learn.css';

const calmPause = 1000; // ms between pictures for those who prefer reduced motion

/**
 * Fills `root`; `change` as in main.js. `open(files, state)` opens the trained model as the reader's own, with these
 * fields of the state.
 */
export function createLearn(root, { change, open }) {
  let state = null;
  let settings = null;
  let started = null; // text of the settings of the current run
  let picture = null; // the worker's latest
  let chosen = null; // { part, head } of the large matrix
  let thumbnails = []; // all heads, for heads.js
  let isPlaying = false;

  const worker = new Worker(new URL('../../worker/learn/learner.js', import.meta.url), {
    type: 'module',
  });
  const send = (type, more) => worker.postMessage({ type, ...more });
  const answers = { picture: showPicture, saved: (answer) => giveFiles(answer), stopped };
  worker.addEventListener('message', ({ data }) => answers[data.type](data));
  worker.addEventListener('error', ({ message }) => stopped({ message }));

  // ---- elements ---------------------------------------------------------------------------------

  const task = element(
    'select',
    { id: 'learn-task', change: () => choose(ownSettings(task.value)) },
    Object.entries(names).map(([value, name]) => element('option', { value }, name)),
  );
  const lists = Object.fromEntries(
    Object.entries(choices).map(([name, list]) => [
      name,
      element(
        'select',
        { id: `learn-${name}`, change: ({ target }) => set(name, Number(target.value)) },
        list.map((value) => element('option', { value }, String(value))),
      ),
    ]),
  );
  const field = (name) =>
    element('input', {
      id: `learn-${name}`,
      inputmode: 'decimal',
      autocomplete: 'off',
      change: ({ target }) => set(name, Number(target.value.trim().replace(',', '.') || NaN)),
    });
  const checkbox = (name) =>
    element('input', {
      id: `learn-${name}`,
      type: 'checkbox',
      change: ({ target }) => set(name, Number(target.checked)),
    });
  const switches = { positions: checkbox('positions'), divided: checkbox('divided') };
  const fields = { rate: field('rate'), seed: field('seed') };
  const button = (id, name, click) => element('button', { type: 'button', id, click }, name);
  const lines = element('textarea', {
    id: 'learn-pairs',
    rows: 6,
    spellcheck: 'false',
    dir: 'auto',
    change: () => change({ pairs: lines.value }),
  });
  const linesField = element(
    'div',
    { class: 'learn-pairs' },
    element('label', { for: lines.id }, 'Lines: what it reads = what it writes'),
    lines,
  );
  const play = button('learn-play', 'Play', () => (isPlaying ? pause() : start()));
  const step = button('learn-step', 'One step', () => send('step'));
  const again = button('learn-again', 'Start again', () => begin());
  const use = button('learn-use', 'Try it on your own text', () => request(openModel));
  const save = button('learn-save', 'Save the model', () => request(saveModel));
  const about = element('p', { class: 'learn-about' });
  const status = element('p', { class: 'hint learn-status', role: 'status' });
  const count = element('p', { class: 'learn-count' });
  const curve = createLossCurve();
  const time = element('input', {
    id: 'learn-time',
    type: 'range',
    min: 0,
    'aria-label': 'Step',
    input: () => send('go', { step: time.valueAsNumber }),
  });
  const [input, output] = [element('dd'), element('dd')];
  const map = element('attention-map', { select: () => showHead() });
  const mapName = element('h3');
  const mapSays = element('p', { class: 'hint' });
  const grid = element('div');
  const heads = createHeads(grid, {
    name: 'learn',
    select({ part, head, row, column }) {
      chosen = { part, head };
      if (row !== undefined) map.select({ row, column });
      showHead();
    },
    hover: (position) => map.hover(position),
  });
  const link = element('a', {}, 'this run as a link');

  const labeled = (control, name) =>
    element('div', {}, element('label', { for: control.id }, name), control);
  root.append(
    element(
      'div',
      { class: 'learn-settings' },
      labeled(task, 'Task'),
      labeled(lists.layers, 'Layers'),
      labeled(lists.heads, 'Heads'),
      labeled(lists.width, 'Width'),
      labeled(switches.positions, 'Positions'),
      labeled(switches.divided, 'Scores ÷ √d'),
      labeled(fields.rate, 'Learning rate'),
      labeled(fields.seed, 'Seed'),
    ),
    element(
      'details',
      { class: 'learn-purposes' },
      element('summary', {}, 'What these are for'),
      element(
        'dl',
        { class: 'hint' },
        purposes.map(([name, purpose]) =>
          element('div', {}, element('dt', {}, name), element('dd', {}, purpose)),
        ),
      ),
    ),
    about,
    linesField,
    element('div', { class: 'learn-buttons' }, play, step, again),
    status,
    element(
      'div',
      { class: 'learn-course' },
      element('h3', {}, 'Loss: how wrong it is'),
      curve.element,
      time,
      count,
      element(
        'dl',
        { class: 'learn-example' },
        element('div', {}, element('dt', {}, 'It reads'), input),
        element('div', {}, element('dt', {}, 'and writes'), output),
      ),
      element('div', { class: 'learn-buttons' }, use, save),
      element(
        'p',
        { class: 'hint' },
        'Each step shows it 32 random examples and moves every number of the model a little, so that it is less wrong. ' +
          'The slider leads back to any step. The same seed gives the same run everywhere: ',
        link,
        '.',
      ),
    ),
    element('div', { class: 'learn-map' }, mapName, map, mapSays),
    grid,
  );

  // ---- the reader's choices ---------------------------------------------------------------------

  function choose(next) {
    change({ learn: writeSettings(next) });
  }

  function set(name, value) {
    if (isValid(name, value)) {
      choose({ ...settings, [name]: value });
      if (problem === name) speak('');
      return;
    }
    pause();
    const own = ownSettings(settings.task)[name];
    problem = name;
    speak(
      name === 'rate'
        ? `The learning rate must be a number above 0; ${own} suits this task.`
        : 'The seed must be a whole number from 0 to 4294967295.',
      true,
    );
  }
  let problem = null; // name of the invalid field

  function start() {
    speak('');
    isPlaying = true;
    send('play');
    showButtons();
  }

  function pause() {
    send('pause');
    isPlaying = false;
    showButtons();
  }

  /** A new run from step 0; it goes on playing if the last one did. */
  function begin() {
    started = runText();
    chosen = null;
    speak('');
    const pairs = pairsOf(state);
    try {
      if (settings.task === 'pairs') readPairs(pairs);
    } catch ({ message }) {
      pause();
      speak(`${message}.`, true);
      return;
    }
    send('start', { settings, pairs });
    if (isPlaying) send('play');
  }

  const pairsOf = ({ pairs }) => (pairs === '' ? firstPairs : pairs);
  /** Two runs with the same text are the same. */
  const runText = () =>
    writeSettings(settings) + (settings.task === 'pairs' ? `\n${pairsOf(state)}` : '');

  let giveFiles = null; // what to do with the files of the model

  function request(work) {
    pause();
    giveFiles = work;
    send('save');
  }

  /** In the other modes: with its own example, as the reader's model. */
  function openModel({ files }) {
    const [{ part, columns }] = picture.example.parts;
    const mode = part.startsWith('cross') ? 'cross' : 'self';
    const list = Object.entries(files).map(([name, content]) => new File([content], name));
    // Its tokens are characters, which would be merged to words.
    open(list, { mode, text: columns.join(''), merge: false });
  }

  async function saveModel({ files }) {
    const names = Object.keys(files);
    const formats = await import('../exports/formats.js');
    for (const name of names) formats.save(name, new Blob([files[name]]));
    speak(`${names.slice(0, -1).join(', ')} and ${names.at(-1)} are saved.`);
  }

  // ---- what the worker sends --------------------------------------------------------------------

  function showPicture(answer) {
    picture = answer;
    if (document.body.dataset.mode !== 'learn' && answer.isPlaying) pause();
    if (isPlaying && !answer.isPlaying) {
      isPlaying = false;
      if (answer.isSolved) speak(solvedText(settings.task, answer));
    }
    draw();
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    requestAnimationFrame(() => setTimeout(() => send('drawn'), isCalm ? calmPause : 0));
  }

  function stopped({ message }) {
    isPlaying = false;
    showButtons();
    const steps = picture?.steps ?? 0;
    speak(
      `Training stopped after step ${steps}: ${message}. A smaller learning rate may help.`,
      true,
    );
  }

  function speak(sentence, isProblem = false) {
    write(status, sentence);
    status.classList.toggle('problem', isProblem);
  }

  // ---- drawing ----------------------------------------------------------------------------------

  function showButtons() {
    for (const one of [play, step, again, time, use, save]) one.disabled = picture === null;
    write(play, isPlaying ? 'Pause' : 'Play');
  }

  function showSettings() {
    task.value = settings.task;
    for (const [name, one] of Object.entries(switches)) one.checked = settings[name] === 1;
    for (const [name, list] of Object.entries(lists)) list.value = settings[name];
    for (const [name, one] of Object.entries(fields)) one.value = settings[name];
    write(about, says[settings.task]);
    linesField.hidden = settings.task !== 'pairs';
    lines.value = pairsOf(state);
    link.href = writeAddress(state);
    const isLong = settings.task === 'pairs' && state.pairs.length > longestShared;
    write(
      link,
      isLong ? 'this run as a link, without its lines, which are too long' : 'this run as a link',
    );
  }

  function draw() {
    const { steps, losses, example, score } = picture;
    showButtons();
    curve.show(losses, steps);
    time.max = losses.length;
    time.value = steps;
    const loss = steps === 0 ? '' : `, loss ${losses[steps - 1].toFixed(4)}`;
    time.setAttribute('aria-valuetext', `step ${steps}${loss}`);
    write(count, `Step ${steps}${loss}; ${scoreText(settings.task, score)}.`);
    showTokens(input, example.input);
    showTokens(output, example.output, example.expected);
    thumbnails = example.parts.flatMap(headsOf);
    // The induction head is in the last layer.
    const watched = settings.task === 'repeat' ? example.parts.at(-1) : example.parts[0];
    chosen ??= { part: watched.part, head: 0 };
    showHead();
  }

  const partOf = ({ part }) => picture.example.parts.find((one) => one.part === part);
  const matrixOf = ({ weights, rows, columns }, head) => {
    const size = rows.length * columns.length;
    return weights.subarray(head * size, (head + 1) * size);
  };
  const headsOf = (part) =>
    Array.from({ length: part.heads }, (_, head) => ({
      ...{ part: part.part, name: part.name, head, role: null },
      ...{ rows: part.rows.length, columns: part.columns.length, weights: matrixOf(part, head) },
    }));

  /** The chosen head, large, and marked among all. */
  function showHead() {
    const part = partOf(chosen);
    const { rows, columns, name, causal } = part;
    const title = `${name}, head ${chosen.head + 1}`;
    write(mapName, title);
    map.update({
      weights: { data: matrixOf(part, chosen.head), dims: [rows.length, columns.length] },
      ...{ rowLabels: rows, columnLabels: columns, label: title, domain: [0, 1] },
      unseen: causal
        ? rows.flatMap((_, row) => columns.map((__, column) => Number(column > row)))
        : null,
    });
    write(mapSays, directions[part.part.split('.')[0]](unitOf(settings.task)));
    heads.show(
      { thumbnails, average: false, part: part.part, name, rows, columns },
      { ...chosen, ...map.selected },
      { unit: `${unitOf(settings.task)}s` },
    );
  }

  /** Wrong tokens are struck through. */
  function showTokens(target, tokens, expected = tokens) {
    const key = `${tokens} ${expected}`;
    if (target.dataset.key === key) return;
    target.dataset.key = key;
    target.replaceChildren(
      ...tokens.map((token, at) => element(token === expected[at] ? 'b' : 's', {}, token)),
    );
  }

  return {
    show(now) {
      state = now;
      settings = readSettings(now.learn);
      showSettings();
      showButtons();
      if (runText() !== started) begin();
    },
  };
}
