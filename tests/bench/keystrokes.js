// Latency of a keystroke in the page: from the input event to the updated picture, and to the end of all work.

const vocabulary =
  'the old man and his dog walked along a river that came down from snow hills in spring while birds sang';

/** The initial text of a given number of words. */
export const textOf = (count) => {
  const list = vocabulary.split(' ');
  return Array.from({ length: count }, (_, at) => list[(at * 5) % list.length]).join(' ');
};

/**
 * Types the words at the end of `text`, character by character. Resolves to { seen, painted, whole, machine } in ms: for
 * each character the time until the view shows its word and is laid out, until the next frame is painted, and until all
 * work is done; and the time of a fixed amount of work on this machine. The view reports its drawings, because polling
 * would slow it.
 */
export function typeLetters(page, text, words = ['aeroplanes', 'and', 'ships', 'by', 'night']) {
  return page.evaluate(
    async (start, added) => {
      const main = document.querySelector('main');
      const field = document.querySelector('#first');
      let look = () => {}; // called after each drawing or text update
      // Canvas drawing: words, and pixels of small pictures.
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
      }[document.querySelector('[data-view]:not([hidden])').dataset.view];
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
      // One answer is drawn within one task.
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
      // Letters arrive at random times between frames.
      let letters = 0;
      const rest = () =>
        new Promise((done) =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => setTimeout(done, (7 * ++letters) % 16)),
          ),
        );
      // A fixed amount of work measures the current speed of the machine.
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

/** Median and 90th percentile. */
export function quantiles(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const of = (share) => sorted[Math.ceil(share * sorted.length) - 1];
  return { median: of(0.5), most: of(0.9) };
}
