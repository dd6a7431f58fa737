// Play: its button, beside the text.

/** `name` and `isRunning`: result of look() of the player; `press()`. */
export const Play = ({ name, isRunning, press }) => (
  <button
    type="button"
    id="play"
    class="quiet"
    aria-pressed={isRunning}
    title="Writes the translation, or reads the text, word by word"
    onClick={press}
  >
    {name}
  </button>
);
