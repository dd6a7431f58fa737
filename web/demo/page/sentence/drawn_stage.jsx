// The line that says which step of the computation the map shows, where that is not the weights.

const names = {
  raw: 'the scores, q · k',
  scaled: 'the scaled scores',
  masked: 'the masked scores',
  moved: 'the values moved, ‖α v W_O‖',
  difference: 'the weights minus those of softmax',
};

/** `change` as in actions.js. */
export const DrawnStage = ({ stage, change }) =>
  Object.hasOwn(names, stage) && (
    <>
      <span>{`The map shows ${names[stage]}.`}</span>
      <button type="button" class="quiet" onClick={() => change({ stage: 'weights' })}>
        Show the weights
      </button>
    </>
  );
