// The sentence below a map, in its paragraph.

import { useLatest } from '../component.jsx';
import { Sentence } from './sentence.jsx';

/** `parts`: see Sentence(); null for none, which leaves the place of the last one; `name`: class of the paragraph. */
export function SentenceLine({ parts, name = 'looking' }) {
  const latest = useLatest(parts, parts !== null);
  return <p class={parts ? name : `${name} empty`}>{latest && <Sentence parts={latest} />}</p>;
}
