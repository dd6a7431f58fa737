// The course of a run: its losses, the slider that leads back to any step, the example, and the link to the run.

import { readSettings } from '../../learn_settings.js';
import { longestShared, writeAddress } from '../address.js';
import { LossCurve } from './loss_curve.jsx';
import { scoreText } from './task_texts.js';

/** @import { ComponentChildren } from 'preact' */
/** @import { RunPicture } from './run.js' */

/**
 * `go(step)`: the reader moved the slider; children: what can be done with the model.
 * @param {{ chosen: object, picture: RunPicture | null, go(step: number): void, children: ComponentChildren }} shown
 */
export function Course({ chosen, picture, go, children }) {
  const loss = picture && picture.steps > 0 ? `, loss ${lossAt(picture).toFixed(4)}` : '';
  return (
    <div class="learn-course">
      <h3>Loss: how wrong it is</h3>
      <LossCurve picture={picture} />
      <input
        id="learn-time"
        type="range"
        min={0}
        max={picture?.losses.length}
        value={picture?.steps}
        disabled={!picture}
        aria-label="Step"
        aria-valuetext={picture ? `step ${picture.steps}${loss}` : undefined}
        onInput={({ currentTarget }) => go(currentTarget.valueAsNumber)}
      />
      <p class="learn-count">
        {picture && `Step ${picture.steps}${loss}; ${scoreText(picture.task, picture.score)}.`}
      </p>
      <dl class="learn-example">
        <div>
          <dt>It reads</dt>
          <dd>{picture && <Tokens tokens={picture.example.input} />}</dd>
        </div>
        <div>
          <dt>and writes by itself</dt>
          <dd>
            {picture && (
              <Tokens tokens={picture.example.output} expected={picture.example.expected} />
            )}
          </dd>
        </div>
      </dl>
      <div class="learn-buttons">{children}</div>
      <p class="hint">
        {
          'Each step shows it 32 random examples and moves every number of the model a little, so that it is less wrong. The slider leads back to any step. The same seed gives the same run everywhere: '
        }
        <RunLink chosen={chosen} />.
      </p>
    </div>
  );
}

/** @param {RunPicture} picture */
const lossAt = ({ losses, steps }) => losses[steps - 1];

/** Wrong tokens are struck through; marks such as <s> are small, so that a row of them takes no other line than digits. */
const Tokens = ({ tokens, expected = tokens }) => (
  <>
    {tokens.map((token, at) => {
      const Tag = token === expected[at] ? 'b' : 's';
      return <Tag class={token.length > 2 ? 'mark' : undefined}>{token}</Tag>;
    })}
  </>
);

function RunLink({ chosen }) {
  const hasLines = readSettings(chosen.learn).task === 'pairs';
  const isLong = hasLines && chosen.pairs.length > longestShared;
  return (
    <a href={writeAddress({ ...chosen, flow: false })}>
      {isLong ? 'this run as a link, without its lines, which are too long' : 'this run as a link'}
    </a>
  );
}
