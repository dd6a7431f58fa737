// Buttons that save a result besides the picture as CSV or JSON, and a sentence about the outcome.

/** `what`: one of tables.js; `title`: what is saved; `saving` of the store and `save(format)` as in actions.js. */
export const SaveTable = ({ what, title, saving, save }) => (
  <p class="save-table">
    {['csv', 'json'].map((ending) => (
      <button
        key={ending}
        type="button"
        class="quiet"
        data-export={`${what}.${ending}`}
        onClick={() => save(`${what}.${ending}`)}
      >
        <span class="unseen">{`Save ${title} as `}</span>
        {ending.toUpperCase()}
      </button>
    ))}
    <span role="status">{saving?.format.startsWith(`${what}.`) ? saving.says : ''}</span>
  </p>
);
