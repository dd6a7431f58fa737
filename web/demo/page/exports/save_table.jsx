// Buttons that save a result besides the picture as CSV or JSON, and a sentence about the outcome.

/** `what`: one of tables.js; `title`: what is saved; `saving` of the store and `save(format)` as in actions.js. */
export const SaveTable = ({ what, title, saving, save }) => (
  <p class="save-table">
    <button
      type="button"
      class="quiet"
      data-export={`${what}.csv`}
      onClick={() => save(`${what}.csv`)}
    >
      <span class="unseen">{`Save ${title} as `}</span>CSV
    </button>
    <button
      type="button"
      class="quiet"
      data-export={`${what}.json`}
      onClick={() => save(`${what}.json`)}
    >
      <span class="unseen">{`Save ${title} as `}</span>JSON
    </button>
    <span role="status">{saving?.format.startsWith(`${what}.`) ? saving.says : ''}</span>
  </p>
);
