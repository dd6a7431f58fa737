// The reader's model: progress of what is being done, card, what opens another one, and the picture that it looks at.

import { useLayoutEffect, useLostFocus, useRef } from '../component.jsx';
import { modelInWords } from '../../model_identity.js';
import { Said } from '../said.jsx';
import { Loading } from './loading.jsx';
import { ModelCard } from './model_card.jsx';
import { ModelPicker } from './model_picker.jsx';
import { SeenPicture } from './seen_picture.jsx';

/** `own`: ownModel of the store; `seen`: see SeenPicture; `palette` of the page; the rest: actions. */
export function OwnModel({ own, seen, palette, ...act }) {
  const { model, bitmap, kept, weights, far, text, isProblem, said, asked } = own;
  const loading = useRef(/** @type {HTMLDivElement | null} */ (null));
  const card = useRef(/** @type {HTMLDivElement | null} */ (null));
  const list = useRef(/** @type {HTMLUListElement | null} */ (null));
  const picker = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  // Folded once a model is open: the picture comes first.
  useLayoutEffect(() => {
    if (picker.current) picker.current.open = model === null;
  }, [model?.id]);
  /** @returns {HTMLElement | null | undefined} */
  const pick = () => picker.current?.querySelector(picker.current.open ? 'input' : 'summary');
  useLostFocus(card, pick);
  useLostFocus(list, pick);
  useLostFocus(loading, () => card.current?.querySelector('button') ?? pick());
  return (
    <>
      <div class="model-loading" hidden={!far} ref={loading}>
        {far && <Loading {...far} cancel={act.cancelModel} />}
      </div>
      <Said name="model-says" {...{ text, isProblem, said }} />
      <p class="other-model" role="status">
        {model && asked !== '' && otherModel(asked, model.identity)}
      </p>
      <div class="model-card" hidden={!model} ref={card}>
        {model && <ModelCard {...model} keep={act.keepModel} close={act.closeModel} />}
      </div>
      <ModelPicker
        {...{ kept, weights, list, picker }}
        openModel={act.openModel}
        removeModel={act.removeModel}
        chooseWeights={act.chooseWeights}
      />
      <div class="seeing">
        <SeenPicture
          {...{ bitmap, seen, palette }}
          canSee={model?.seesPictures === true}
          look={act.lookAtPicture}
          read={act.read}
        />
      </div>
    </>
  );
}

const otherModel = (asked, given) =>
  `Another model is open: the link asks for ${modelInWords(asked)}, and this is ${modelInWords(given)}. ` +
  'It shows the layer, the head and the words of the link that it has.';
