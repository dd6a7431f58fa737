// Formats of the reader's files, collapsed.

const fromPython = `out = model(**inputs, output_attentions=True)
tokens = tokenizer.convert_ids_to_tokens(inputs.input_ids[0])
numpy.savez("attention.npz", *[a.detach().float().cpu() for a in out.attentions], tokens=tokens)`;

/** As OwnFiles(). */
export const FileFormats = ({ saving, save }) => (
  <details class="formats">
    <summary>Formats</summary>
    <p>
      <strong>Queries, keys and values, or weights</strong>: rows × numbers, with heads before them,
      or layers before those, or the examples of a batch between layers and heads; at most 1,024
      rows and columns.
    </p>
    <p>
      <strong>NumPy</strong> (.npz), <strong>JSON</strong> (.json) and <strong>safetensors</strong>{' '}
      (.safetensors) have them by name: <code>query</code>, <code>key</code>, <code>value</code> or{' '}
      <code>weights</code>, each as one array or an array a layer (<code>attn_0</code>,{' '}
      <code>attn_1</code>), and their words as <code>tokens</code>, or <code>rows</code> and{' '}
      <code>columns</code>: a name for each; without them rows and columns are numbered, and the
      text above the map can name them. This page’s own JSON is fine.
    </p>
    <p>
      A <strong>.npy</strong> has one array; the file’s name says which: <code>q.npy</code>,{' '}
      <code>k.npy</code>, <code>v.npy</code>, <code>weights.npy</code>.
    </p>
    <p>
      From Python, with the attentions of <code>transformers</code>:
    </p>
    <pre tabIndex={0}>
      <code>{fromPython}</code>
    </pre>
    <p>
      Or show them in a notebook, without this page:{' '}
      <button type="button" data-export="viewer" onClick={() => save('viewer')}>
        Save an empty viewer
      </button>{' '}
      <span role="status">{saving.format === 'viewer' ? saving.says : ''}</span>
    </p>
    <p>
      Files stay on your machine. Word vectors and projections are those of a model, which opens as{' '}
      <code>Your model</code>.
    </p>
  </details>
);
