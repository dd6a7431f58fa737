// A figure of a step, which is before or after the operation, and the operation between two.

import { Formula } from '../../component.jsx';

export const Figure = ({ when, caption, children }) => (
  <figure class={when}>
    <figcaption>
      <span class="when">{when}</span> {caption}
    </figcaption>
    {children}
  </figure>
);

export const Operation = ({ text }) => (
  <p class="operation">
    <Formula text={text} />
  </p>
);
