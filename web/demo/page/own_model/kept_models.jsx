// The list of models that are kept for the next visit.

/** `kept`: { name, size }[]. */
export const KeptModels = ({ kept, openModel, removeModel }) =>
  kept.map(({ name, size }) => (
    <li key={name}>
      <span>
        <strong>{name}</strong>
        {` kept, ${size}`}
      </span>
      <span class="buttons">
        <button type="button" aria-label={`Open ${name}`} onClick={() => openModel({ kept: name })}>
          Open
        </button>
        <button type="button" aria-label={`Remove ${name}`} onClick={() => removeModel(name)}>
          Remove
        </button>
      </span>
    </li>
  ));
