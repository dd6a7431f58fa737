// What a step says: paragraphs with formulas in them.

import { FormulaText } from '../../component.jsx';

/** @param {{ texts: string[] }} shown */
export const Says = ({ texts }) => (
  <div class="says">
    {texts.map((text) => (
      <p>
        {text
          .split(/(<\/s>)/)
          .map((part, at) =>
            at % 2 === 1 ? <span class="mark">{part}</span> : <FormulaText text={part} />,
          )}
      </p>
    ))}
  </div>
);
