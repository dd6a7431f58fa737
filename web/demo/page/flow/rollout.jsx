// Entry “Rollout”: the weights of all layers multiplied, as one more layer of the map.

import { Step } from './step.jsx';

export function Rollout({ facts, change }) {
  const rollouts = facts.parts.filter(({ id }) => id.endsWith('.rollout'));
  if (rollouts.length === 0) return null;
  return (
    <Step id="rollout" title="Rollout">
      <p class="hint">
        The weights of all layers, averaged over heads, multiplied with the residual stream counted
        in (Abnar and Zuidema 2020): which words of the input may have reached a word of the last
        layer.
      </p>
      <p class="rollouts">
        {rollouts.map(({ id, name }) => (
          <button
            type="button"
            class="quiet"
            aria-pressed={facts.part === id}
            // Weights that are not computed here have fewer boxes: it stays behind the last one.
            onClick={() =>
              change({ box: 'value', part: facts.part === id ? layerBefore(facts, id) : id })
            }
          >
            {`Show in the map: ${name}`}
          </button>
        ))}
      </p>
    </Step>
  );
}

/** The last layer of the stack of a rollout. */
function layerBefore({ parts }, id) {
  const [stack] = id.split('.');
  return parts.filter((part) => part.id.startsWith(`${stack}.`) && part.id !== id).at(-1).id;
}
