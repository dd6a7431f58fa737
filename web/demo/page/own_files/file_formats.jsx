// Formats of the reader's files, collapsed.

export const FileFormats = () => (
  <details class="formats">
    <summary>Formats</summary>
    <p>
      <strong>Queries, keys and values, or weights</strong>: rows × numbers, with heads before them,
      or layers before those; at most 512 rows and columns.
    </p>
    <p>
      <strong>JSON</strong> (.json) and <strong>safetensors</strong> (.safetensors) have them by
      name: <code>query</code>, <code>key</code>, <code>value</code> or <code>weights</code>, and
      their words as <code>tokens</code>, or <code>rows</code> and <code>columns</code>: a name for
      each; without them rows and columns are numbered, and the text above the map can name them.
      This page’s own JSON is fine.
    </p>
    <p>
      <strong>NumPy</strong> (.npy) has one array; the file’s name says which: <code>q.npy</code>,{' '}
      <code>k.npy</code>, <code>v.npy</code>, <code>weights.npy</code>.
    </p>
    <p>
      Files stay on your machine. Word vectors and projections are those of a model, which opens as{' '}
      <code>Your model</code>.
    </p>
  </details>
);
