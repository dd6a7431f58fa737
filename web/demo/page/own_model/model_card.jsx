// The card of the open model.

/** `card`: a name and a text for each line. */
export const ModelCard = ({ name, card, isKept, keep, close }) => (
  <>
    <h3>{name}</h3>
    <dl>
      {card.map(([line, text]) => (
        <div>
          <dt>{line}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
    <div class="buttons">
      {!isKept && (
        <button type="button" onClick={() => keep()}>
          Keep for my next visit
        </button>
      )}
      <button type="button" aria-label={`Close ${name}`} onClick={() => close()}>
        Close
      </button>
    </div>
  </>
);
