// The sentence below a map, in its paragraph.

import { useRef } from '../component.jsx';
import { Sentence } from './sentence.jsx';

/**
 * `parts`: see Sentence(); null for none, which leaves the place of the last one; `name`: class of the paragraph;
 * `isBuilt`: it is that of the build, which leaves no place where the page opens with another picture.
 */
export function SentenceLine({ parts, name = 'looking', isBuilt = false }) {
  const latest = useRef(null);
  if (parts && !isBuilt) latest.current = parts;
  const shown = parts ?? latest.current;
  return <p class={parts ? name : `${name} empty`}>{shown && <Sentence parts={shown} />}</p>;
}
