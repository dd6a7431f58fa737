// What a keystroke costs in the page: from the event of the letter to the picture that has it, drawn.

const vocabulary =
  'the old man and his dog walked along a river that came down from snow hills in spring while birds sang';

/** A text of so many words, to which letters are added. */
export const textOf = (count) => {
  const list = vocabulary.split(' ');
  return Array.from({ length: count }, (_, at) => list[(at * 7) % list.length]).join(' ');
};

/** Types `letters` at the end of `text`, one after the other; resolves to the times of each, in ms. */
export function typeLetters(
  page,
  text,
  letters = 'aeroplanes and ships that go by night, '.repeat(2),
) {
  return page.evaluate(
    async (start, added) => {
      const main = document.querySelector('main');
      const field = document.querySelector('#first');
      const answered = () =>
        new Promise((done) => {
          const watching = new MutationObserver(() => {
            if (main.dataset.waiting !== 'false') return;
            watching.disconnect();
            done();
          });
          watching.observe(main, { attributeFilter: ['data-waiting'] });
        });
      // Until nothing is left that the answer has put off to the end of its turn.
      const turn = () =>
        new Promise((done) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = done;
          port2.postMessage(null);
        });
      const write = async (value) => {
        const since = performance.now();
        const drawn = answered();
        field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        await drawn;
        await turn();
        return performance.now() - since;
      };
      const rest = () =>
        new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      // A known piece of work says how much of the machine there is just now.
      const work = () => {
        const since = performance.now();
        let x = 1;
        for (let i = 0; i < 2_000_000; i++) x = x * 0.999999 + 1e-9;
        return performance.now() - since + 0 * x;
      };
      let value = start;
      for (const letter of 'warm ') await write((value += letter));
      const times = [];
      let machine = Infinity;
      value = start;
      for (const letter of added) {
        times.push(await write((value += letter)));
        machine = Math.min(machine, work());
        await rest();
      }
      return { times, machine };
    },
    text,
    letters,
  );
}

/** Half of the times and nine tenths of them are at most these. */
export function quantiles(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const of = (share) => sorted[Math.ceil(share * sorted.length) - 1];
  return { median: of(0.5), most: of(0.9) };
}
