// The list of models that are kept for the next visit.

/** `kept`: KeptModels. */
export const KeptModels = ({ kept, openModel, removeModel }) =>
  kept.map(({ place, name, size }) => (
    <li key={place}>
      <span>
        <strong>{name}</strong>
        {` kept, ${size}`}
      </span>
      <span class="buttons">
        <button
          type="button"
          aria-label={`Open ${name}`}
          onClick={() => openModel({ kept: place })}
        >
          Open
        </button>
        <button
          type="button"
          aria-label={`Remove ${name}`}
          onClick={() => removeModel({ place, name })}
        >
          Remove
        </button>
      </span>
    </li>
  ));
