// Parts below the map: what can be done with the selected link, next words, what is blocked, the flow behind the number,
// effects, and notes. It follows the map after the next paint.

import { isOfModel } from '../texts.js';
import { viewNamed } from '../view_list.js';
import { awaitedModel, inspectedPlace } from '../state/derived.js';
import { answerOf } from '../state/questions.js';
import { isInPercent, settingsOf } from '../state/settings.js';
import { Announcement } from './announcement.jsx';
import { cellOf } from './cell.js';
import { later, useEver, useLatest } from './component.jsx';
import { NextWordsRoom } from './next_words/next_words_room.jsx';
import { Note } from './note.jsx';
import { noteOf } from './notices.js';
import { DrawnStage } from './sentence/drawn_stage.jsx';
import { saidSentence } from './sentence/said_sentence.js';
import { linkAction } from './what_if/actions.js';
import { BlockButton } from './what_if/block_button.jsx';
import { blockedOf, canBlockIn, whereOf } from './what_if/blocking.js';

const Flow = later(async () => (await import('./flow/room.js')).Flow);
const Strip = later(async () => (await import('./what_if/strip_room.jsx')).StripRoom);
const Sweep = later(async () => (await import('./sweep/room.jsx')).SweepRoom);

/**
 * `now`: the store as of the last paint; `isElsewhere`: the pointer is in another row than the selected one; `palette`; `act`:
 * actions.
 */
export function BelowMap({ now, isElsewhere, palette, act }) {
  const { chosen, answer, loading, answers } = now;
  const { picture, facts } = answer;
  const where = whereOf(now);
  const isOn = canBlockIn(where);
  // The built-in model has a picture of any text: the button keeps its place until then.
  const hasPlace = chosen.source === 'model' && !facts?.fixed;
  const hasModel = useEver(isOfModel(chosen) && !(picture && facts.isPrerendered));
  const hasSweep = useEver(hasModel && chosen.sweep !== '');
  const flow = useLatest(flowOf(now, palette), chosen.flow && picture !== null);
  const hasFlow = useEver(chosen.flow && picture !== null);
  const canDraw = picture && viewNamed(chosen.view).shows === 'head';
  const isSaid = awaitedModel(now) !== null;
  return (
    <>
      <div class="below-map">
        <div class="block-it" hidden={!isOn && !hasPlace}>
          <BlockButton
            action={isOn ? linkAction({ ...where, ...where.place }) : null}
            block={act.setBlock}
          />
        </div>
        <button
          type="button"
          id="how"
          class="quiet"
          aria-expanded={chosen.flow}
          aria-controls="flow"
          onClick={act.toggleFlow}
        >
          How did this number come about?
        </button>
        <NextWordsRoom now={now} isElsewhere={isElsewhere} change={act.change} />
      </div>
      {hasModel ? (
        <Strip
          where={where}
          blocked={blockedOf(where)}
          setBlock={act.setBlock}
          endComparison={act.endComparison}
          save={act.save}
          wait={act.wait}
          until={<section class="what-if" aria-label="What if" hidden />}
        />
      ) : (
        <section class="what-if" aria-label="What if" hidden />
      )}
      <section
        class={chosen.flow && !picture ? 'flow empty' : 'flow'}
        id="flow"
        aria-labelledby="flow-title"
        hidden={!chosen.flow}
      >
        {hasFlow && (
          <Flow
            {...flow}
            change={act.change}
            select={act.select}
            spellOut={act.spellOut}
            save={act.save}
            wait={act.wait}
          />
        )}
      </section>
      <p class="drawn-stage">
        <DrawnStage
          stage={canDraw ? settingsOf(chosen, picture, palette).stage : 'weights'}
          change={act.change}
        />
      </p>
      <div class="sweep-room">
        {hasSweep && (
          <Sweep
            {...where}
            change={act.change}
            lookAtEffect={act.lookAtEffect}
            compareWords={act.compareWords}
            measureAgain={act.measureAgain}
            save={act.save}
            wait={act.wait}
          />
        )}
      </div>
      <p class="hint">
        <span class="with-mouse">
          Click a word, or use the arrow keys, to see what it looks at; double-click to edit.
        </span>
        <span class="with-finger">Tap a word to see what it looks at; tap twice to edit.</span>{' '}
        <span class="is-read">Red</span> looks at <span class="is-seen">blue</span>: it attends to
        it.{' '}
        <span class="with-mouse">Drop a model or arrays of your own anywhere to open them.</span>
      </p>
      <p class="hint note" role="status">
        <Note {...noteOf(facts, chosen, picture, { loading, isSaid })} />
      </p>
      <Announcement
        says={
          isSaid ? 'Loading the model.' : answers.difference?.isDue ? undefined : saidSentence(now)
        }
      />
    </>
  );
}

/** Arguments of Flow(); null without a picture. */
function flowOf(now, palette) {
  const { chosen, answer } = now;
  const { picture, facts, inspection } = answer;
  if (!picture || !chosen.flow) return null;
  const place = inspectedPlace(now);
  return {
    ...{ chosen, facts, picture, place, inspection, palette },
    cell: cellOf(picture, place, chosen.stage),
    map: { stage: settingsOf(chosen, picture, palette).stage, stages: stagesFor(now) },
    isPercent: isInPercent(chosen, picture),
    saving: now.saving,
    block: answerOf(now, 'block'),
    words: answerOf(now, 'nextWords')?.answer ?? null,
    canSweep: isOfModel(chosen) && !facts.isPrerendered,
    // The hint below the picture is not repeated.
    note: chosen.source === 'ngrams' ? facts.note : '',
  };
}

/** Stages that the map can draw in this view, in the order of the computation. */
function stagesFor({ chosen, answer: { picture, facts } }) {
  if (viewNamed(chosen.view).shows !== 'head' || facts.fixed) return [];
  const { stages } = picture;
  const isThere = (stage) => (stage === 'moved' ? facts.canMove : stages[stage] !== undefined);
  return ['raw', 'scaled', 'masked', 'weights', 'moved', 'difference'].filter(isThere);
}
