// How far the opening or keeping of a model is, and the button that ends it.

/** `fraction` is undefined until it is known. */
export const Loading = ({ text, fraction, cancel }) => (
  <>
    <progress
      key={fraction === undefined ? 'unknown' : 'known'}
      max={1}
      value={fraction}
      aria-label="Reading the model"
    />
    <span>{text}</span>
    <button type="button" onClick={cancel}>
      Cancel
    </button>
  </>
);
