// Examples of the source, as buttons.

/** `examples` of the source; `start(example)`. */
export const Examples = ({ examples, start }) =>
  examples.map((example) => (
    <button key={example.name} type="button" lang={example.lang} onClick={() => start(example)}>
      {example.name}
    </button>
  ));
