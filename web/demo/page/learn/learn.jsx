// Mode "Learn": what the reader does with a run, its settings, its course, and its attention.

import { readSettings } from '../../learn_settings.js';
import { prefersPercent } from '../../state/settings.js';
import { useMemo } from '../component.jsx';
import { Course } from './course.jsx';
import { RunAttention } from './run_attention.jsx';
import { Settings } from './settings.jsx';
import { pairsOf } from './run.js';
import { says as about } from './task_texts.js';

/** Reads: `chosen` of the store; the run, as its now() has it. Calls: change(), and the actions of the run. */
export function Learn(shown) {
  const { chosen, picture, isPlaying, isFast, says, isProblem, change, refuse } = shown;
  const { task } = readSettings(chosen.learn);
  const button = (id, name, act, isPressed = undefined) => (
    <button
      type="button"
      id={`learn-${id}`}
      disabled={!picture}
      aria-pressed={isPressed}
      onClick={() => act()}
    >
      {name}
    </button>
  );
  // Pictures come while the reader writes into a field.
  const settings = useMemo(
    () => (
      <Settings
        settings={readSettings(chosen.learn)}
        pairs={pairsOf(chosen)}
        change={change}
        refuse={refuse}
      />
    ),
    [chosen.learn, chosen.pairs],
  );
  return (
    <>
      <h2 id="learn-title" class="unseen">
        Learning
      </h2>
      <div class="learn-buttons">
        {button('play', isPlaying ? 'Pause' : 'Play', isPlaying ? shown.pause : shown.play)}
        {button('speed', 'Twice the speed', shown.hurry, isFast)}
        {button('step', 'One step', shown.step)}
        {button('again', 'Start again', shown.begin)}
      </div>
      <p class={isProblem ? 'hint learn-status problem' : 'hint learn-status'} role="status">
        {says}
      </p>
      <p class="learn-about">{about[task]}</p>
      <RunAttention picture={picture} isPercent={prefersPercent(chosen)} />
      <Course chosen={chosen} picture={picture} go={shown.go}>
        {button('use', 'Try it on your own text', shown.use)}
        {button('save', 'Save the model', shown.save)}
      </Course>
      {settings}
    </>
  );
}
