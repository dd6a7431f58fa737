// The way out of the lecture view, and what its keys are.

/** `says`: the hint; `leave()` ends the view. */
export const LectureBar = ({ says, leave }) => (
  <>
    <p role="status">{says}</p>
    <button type="button" title="Escape" onClick={leave}>
      Leave lecture view
    </button>
  </>
);
