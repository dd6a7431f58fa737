// The texts, word by word: two fields, over each a list of its words, and rays between them. Words and rays are drawn by
// hand, and so are the classes of the room and of its sheets.

import { fieldsOf } from '../../texts.js';
import { sourceOf } from '../../state/derived.js';
import { byHand, useDrawing, useRef, useState } from '../component.jsx';
import { fieldNames } from '../field_names.js';
import { Play } from '../play.jsx';
import { createSheet } from '../sheet.js';
import { UndoBeside } from '../what_if/undo_beside.jsx';
import { Line } from './line.jsx';
import { createText } from './texts.js';
import { WasRead } from './was_read.jsx';

/**
 * Reads: `now`, the store; `about`, the store as it was at the last paint, for names of the fields; `texts`: arguments of the
 * drawing, or null where no texts are shown; `cut` and `read`: see WasRead(); `play`: see Play(); `undoes`: something is
 * blocked; `built`: what the build writes, { rays, words: HTML of both lists }. Calls: type(), hover(), select(), pressRay(),
 * undo(). `drawings.texts` becomes the drawing.
 */
export function Reading({ now, about, texts, cut, read, play, undoes, act, drawings, built }) {
  const [focused, focus] = useState(''); // id of the field with the focus
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const { chosen } = now;
  const { facts } = about.answer;
  const filled = about.chosen[fieldsOf(about.chosen)[0]].trim() === '' && facts?.translation;
  const named = fieldNames(sourceOf(about), about.chosen.mode, facts, Boolean(filled));
  const isNamed = named.names.length > 0;
  const written = fieldsOf(chosen).map((name) => chosen[name]);
  const room = useDrawing(
    texts !== null,
    (root) => {
      const { hover, select, pressRay: press } = act;
      drawings.texts = createText(root, { hover, select, press });
      return { root, sheets: sheetsIn(root), text: drawings.texts };
    },
    ({ root, sheets, text }) => {
      root.classList.toggle('named', isNamed);
      written.forEach((one, at) => sheets[at].write(one));
      sheets[0].offer(filled || '');
      text.show(...texts);
      text.write(written, { isTyped: now.isTyped });
      for (const { align } of sheets) align(now.awaited.picture);
    },
  );
  const line = (at, id, own) => (
    <Line
      {...{ id, own, words: built?.words[at] ?? byHand, list: at === 0 ? list : undefined }}
      written={at === 0 ? filled || '' : null}
      // A focused field keeps the name of what is typed into it.
      name={(focused === id ? named.names : named.read)[at]}
      type={(text) => act.type({ [fieldsOf(chosen)[at]]: text })}
    />
  );
  const follow = ({ target }) => focus(document.activeElement === target ? target.id : '');
  return (
    <section class="reading" data-for="self cross" aria-labelledby="reading-title">
      <h2 id="reading-title" class="unseen">
        The text, word by word
      </h2>
      <div
        class={built ? 'sentences two named' : 'sentences two'}
        ref={room}
        onFocusIn={follow}
        onFocusOut={follow}
      >
        <div class="rays-room" data-rays={built?.rays} dangerouslySetInnerHTML={byHand} />
        <div class="second-line" data-for="cross">
          {line(
            1,
            'second',
            <span class="own-name">
              Text it looks at <small>keys and values, the columns</small>
            </span>,
          )}
        </div>
        <div class="first-line">
          {line(
            0,
            'first',
            <>
              <span class="own-name" data-for="self">
                Your text
              </span>
              <span class="own-name" data-for="cross">
                Text that looks <small>queries, the rows</small>
              </span>
            </>,
          )}
          <UndoBeside isShown={undoes} text={list} undo={act.undo} />
          <Play {...play} />
        </div>
      </div>
      <p class="was-read" hidden={cut === ''}>
        <WasRead says={cut} read={read} change={act.change} />
      </p>
    </section>
  );
}

/** The text fields with their words, the first one first. */
const sheetsIn = (root) =>
  Array.from(['.first-line', '.second-line'], (line) =>
    createSheet(root.querySelector(`${line} .sheet`)),
  );
