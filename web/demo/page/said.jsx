// A sentence about what was done with the reader's files or model, or why not.

import { Fragment } from './component.jsx';

/**
 * Success is seen elsewhere, and only announced. `said`: the count of sentences so far; the same one twice is announced
 * twice; `hasPlace`: the line has its place until the first one.
 */
export const Said = ({ name, text, isProblem, said, hasPlace = false }) => (
  <p
    class={`hint ${name} ${isProblem ? 'problem' : hasPlace && said === 0 ? '' : 'unseen'}`}
    role="status"
  >
    {text && <Fragment key={said}>{text}</Fragment>}
  </p>
);
