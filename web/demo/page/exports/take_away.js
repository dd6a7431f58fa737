// Exports: a picture, the numbers, lines of code, a link, a sheet of paper. How each is made is fetched when the
// first one is asked for.

/** `now()` returns what is shown: { state, picture, facts, selection, settings, views, tensors() }. */
export function createTakeAway(root, now) {
  const says = root.querySelector('.exported');
  const copied = root.querySelector('.copied');
  const paper = () => root.querySelector('[name="paper"]:checked').value;

  /** A text to be copied, where the clipboard is not to be had. */
  function showText(text) {
    copied.hidden = false;
    copied.value = text;
    copied.rows = Math.min(14, text.split('\n').length + 1);
  }

  for (const button of root.querySelectorAll('[data-export]')) {
    button.addEventListener('click', async () => {
      copied.hidden = true;
      const shown = now();
      try {
        const { ways } = await import('./ways.js');
        says.textContent = shown.picture
          ? await ways[button.dataset.export](shown, { paper: paper(), showText })
          : 'There is no picture yet: write a text first.';
      } catch (error) {
        says.textContent = `That could not be made: ${error.message}.`;
      }
    });
  }
}
