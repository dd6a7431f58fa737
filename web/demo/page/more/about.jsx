// Meaning and origin of the numbers, in the drawer.

/** `meaning`: what the vectors of the source mean. */
export const About = ({ meaning }) => (
  <>
    <summary>
      <h2>About</h2>
    </summary>
    <p data-for="self">
      Self-attention: each word of a text is compared with every word of the same text; the
      comparisons become weights that sum to&nbsp;1.
    </p>
    <p data-for="cross">
      Cross-attention: while one text is written, each of its words looks at the words of the other;
      the weights say how much.
    </p>
    <p data-for="learn">Learning: where the weights of a model come from.</p>
    <p data-for="self cross">
      <strong>What the numbers mean.</strong> <span class="meaning">{meaning}</span> Weights show
      what is mixed with what; they are not explanations.
    </p>
    <p data-for="learn">
      <strong>What the numbers mean.</strong> The loss is the mean of −log p over the tokens to
      write, p being the probability that the model gives to the right one: 0 is perfect. Weights
      are those of one example.
    </p>
    <p>
      <strong>Where they come from.</strong> α = softmax(scale&nbsp;·&nbsp;q·k), o = Σ α v. The
      WebAssembly module of <code>attention-wasm</code> computes them on your machine; nothing you
      type or open leaves it.{' '}
      <span data-for="self cross">
        The model learned from sentence pairs: Tatoeba (tatoeba.org) and www.manythings.org/anki, CC
        BY 2.0 FR; African Storybook (africanstorybook.org), CC BY.
      </span>
    </p>
    <p>
      <a href="./api/">API reference</a>: every function, with examples to run and change.
    </p>
  </>
);
