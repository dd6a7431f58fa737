// Sources of texts: examples, the reader's files, and the reader's model.

import { hasModelRoom } from '../state/own_model.js';
import { placeOf, sourceOf } from '../state/derived.js';
import { later, useEver, useLayoutEffect, useRef } from './component.jsx';
import { Examples } from './examples.jsx';
import { examplesOf } from './examples.js';
import { watchDrops } from './own_files/dropped_on_page.js';
import { OwnFiles } from './own_files/own_files.jsx';

const OwnModel = later(async () => (await import('./own_model/room.jsx')).OwnModelRoom);

/** `now`: the store as of the last paint; `palette`; `act`: actions. */
export function TextsSection({ now, palette, act }) {
  const { chosen, answer, ownModel: own, files, saving } = now;
  const { picture, facts } = answer;
  const source = sourceOf(now);
  const room = useRef(/** @type {HTMLElement | null} */ (null));
  const isShown = hasModelRoom(now);
  const hasRoom = useEver(isShown);
  const isSeen = chosen.source === 'own' && own.bitmap && facts?.from === own.model?.id;
  useLayoutEffect(() => {
    watchDrops(/** @type {HTMLElement} */ (room.current), {
      ...{ isModelShown: act.isModelShown, openFiles: act.openFiles, dropModel: act.dropModel },
    });
  }, []);
  const empty = <div class="own-model" hidden />;
  return (
    <section class="texts" data-for="self cross" aria-labelledby="texts-title" ref={room}>
      <h2 id="texts-title" class="unseen">
        Text
      </h2>
      <div class="examples" role="group" aria-label="Examples">
        <Examples examples={examplesOf(source, chosen.mode).first} start={act.startExample} />
      </div>
      <div class="files" hidden={!source.settings.includes('files')}>
        <OwnFiles
          {...{ files, saving, openFiles: act.openFiles, closeFile: act.closeFile, save: act.save }}
        />
      </div>
      {hasRoom ? (
        <OwnModel
          {...act}
          {...{ own, isShown, palette, until: empty }}
          seen={
            isSeen && picture && facts.grid
              ? { picture, grid: facts.grid, place: placeOf(now) }
              : null
          }
        />
      ) : (
        empty
      )}
    </section>
  );
}
