// What a keystroke costs in the page: from the event of the letter to the picture that has it, and to everything else.

const vocabulary =
  'the old man and his dog walked along a river that came down from snow hills in spring while birds sang';

/** A text of so many words, to which letters are added. */
export const textOf = (count) => {
  const list = vocabulary.split(' ');
  return Array.from({ length: count }, (_, at) => list[(at * 5) % list.length]).join(' ');
};

/**
 * Writes each of the words at the end of `text`, letter by letter. Resolves to { seen, painted, whole, machine }: for
 * each letter the time until the view shows the word that it belongs to and is laid out for painting, until the next
 * frame is painted, however long the screen has it wait, and until nothing is left to be done, in ms; and what a known
 * piece of work takes on this machine. What is drawn says so itself: to keep asking for it would take the machine from it.
 */
export function typeLetters(page, text, words = ['aeroplanes', 'and', 'ships', 'by', 'night']) {
  return page.evaluate(
    async (start, added) => {
      const main = document.querySelector('main');
      const field = document.querySelector('#first');
      let look = () => {}; // something has been drawn or written
      // What is drawn on canvases: words, and the pixels of small pictures.
      const drawn = { words: new Set(), pictures: new Set() };
      const prototype = CanvasRenderingContext2D.prototype;
      const { fillText, putImageData } = prototype;
      prototype.fillText = function write(word, ...place) {
        drawn.words.add(word);
        fillText.call(this, word, ...place);
        look();
      };
      prototype.putImageData = function put(...what) {
        if (this.canvas.closest?.('.heads-view')) drawn.pictures.add(this.canvas);
        putImageData.apply(this, what);
        look();
      };
      const writing = new MutationObserver(() => look());
      writing.observe(main, { subtree: true, childList: true, characterData: true });
      writing.observe(main, { attributeFilter: ['data-waiting'] });
      const lastOf = (selector) => Array.from(document.querySelectorAll(selector)).at(-1);
      const isSeen = {
        matrix: (word) => drawn.words.has(word),
        lines: (word) => lastOf('.side.row [role="option"]').textContent === word,
        heads: () => {
          const all = document.querySelectorAll('.heads-view canvas');
          return all.length > 0 && Array.from(all).every((one) => drawn.pictures.has(one));
        },
        table: (word) => lastOf('.view.table tbody th').textContent === word,
      }[document.querySelector('[name="view"]:checked').value];
      const until = (isTrue) =>
        new Promise((done, fail) => {
          const late = () => fail(new Error(`“${field.value}” is not seen`));
          const waiting = setTimeout(late, 10_000);
          look = () => {
            if (!isTrue()) return;
            look = () => {};
            clearTimeout(waiting);
            done();
          };
          look();
        });
      // All that belongs to the answer that is being drawn is done in the same turn.
      const endOfTurn = async () => {
        for (let step = 0; step < 20; step++) await null;
        document.body.getBoundingClientRect();
      };
      const frame = () =>
        new Promise((done) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = done;
          requestAnimationFrame(() => port2.postMessage(null));
        });
      const write = async (value) => {
        const word = value.split(' ').at(-1);
        drawn.words.clear();
        drawn.pictures.clear();
        const since = performance.now();
        const now = () => performance.now() - since;
        field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        await until(() => isSeen(word));
        await endOfTurn();
        const seen = now();
        const painted = frame().then(now);
        await until(() => main.dataset.waiting === 'false');
        return { seen, whole: now(), painted: await painted };
      };
      // A letter comes at any time between two frames.
      let letters = 0;
      const rest = () =>
        new Promise((done) =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => setTimeout(done, (7 * ++letters) % 16)),
          ),
        );
      // A known piece of work says how much of the machine there is just now.
      const work = () => {
        const since = performance.now();
        let x = 1;
        for (let i = 0; i < 2_000_000; i++) x = x * 0.999999 + 1e-9;
        return performance.now() - since + 0 * x;
      };
      const times = [];
      let machine = Infinity;
      for (const word of ['warm', 'warm', ...added]) {
        for (let length = 1; length <= word.length; length++) {
          times.push(await write(`${start} ${word.slice(0, length)}`));
          machine = Math.min(machine, work());
          await rest();
        }
      }
      times.splice(0, 'warmwarm'.length);
      Object.assign(prototype, { fillText, putImageData });
      writing.disconnect();
      const all = (what) => times.map((time) => time[what]);
      return { seen: all('seen'), painted: all('painted'), whole: all('whole'), machine };
    },
    text,
    words,
  );
}

/** Half of the times and nine tenths of them are at most these. */
export function quantiles(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const of = (share) => sorted[Math.ceil(share * sorted.length) - 1];
  return { median: of(0.5), most: of(0.9) };
}
