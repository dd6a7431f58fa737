// Playback: selects one word after the other until it is stopped or the reader does something else.

const pace = 900; // ms per word

/** `step()` selects the next word. */
export function createPlayer(button, step) {
  let timer = 0;
  function stop() {
    clearInterval(timer);
    timer = 0;
    button.setAttribute('aria-pressed', 'false');
    button.textContent = 'Play';
  }
  function start() {
    step();
    timer = setInterval(step, pace);
    button.setAttribute('aria-pressed', 'true');
    button.textContent = 'Pause';
  }
  button.addEventListener('click', () => (timer ? stop() : start()));
  // Typing or choosing anything stops playback.
  for (const event of ['keydown', 'pointerdown']) {
    document.addEventListener(event, ({ target }) => {
      if (timer && !button.contains(target)) stop();
    });
  }
  return { stop };
}
