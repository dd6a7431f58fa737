// The page's body as one tree of components, written from the store. The build renders it with the first picture into
// index.html, and the page takes that over.

import { isOfModel, isOfTexts } from '../texts.js';
import { awaitedModel, isAwaiting, placeOf, shownMode } from '../state/derived.js';
import { scoresOf } from '../state/head_scores.js';
import { askedFor } from '../state/own_model.js';
import { settingsOf } from '../state/settings.js';
import { AskedFor } from './asked_for/asked_for.jsx';
import { BelowMap } from './below_map.jsx';
import { later, memo, useEver, useLatest, useMemo } from './component.jsx';
import { Masthead } from './masthead.jsx';
import { useDrawer } from './more/drawer.js';
import { MorePanel } from './more/more_panel.jsx';
import { whyEmpty } from './notices.js';
import { SentenceLine } from './sentence/sentence_line.jsx';
import { shownSentence } from './sentence/said_sentence.js';
import { Stage } from './stage.jsx';
import { TextsSection } from './texts_section.jsx';
import { Reading } from './texts/reading.jsx';
import { Toolbar } from './toolbar.jsx';
import { isInText, whereOf } from './what_if/blocking.js';

const Unresponsive = later(async () => (await import('./unresponsive/room.jsx')).UnresponsiveRoom);
const Learn = later(async () => (await import('./learn/learn_room.jsx')).LearnRoom);
const Menu = later(async () => (await import('./what_if/menu_room.jsx')).MenuRoom);
const Tour = later(async () => (await import('./tour/tour_room.jsx')).TourRoom);

// Parts that follow a key press after the next paint: drawn again only when the store that they show is another one.
const Behind = { Below: memo(BelowMap), More: memo(MorePanel), Texts: memo(TextsSection) };
const Row = memo(Toolbar);
const LearnOnce = memo(Learn);

/**
 * `now`: the store; `behind`: the store as of the last paint; `device`: { palette, isPhone }; `isSilent`: the worker does not
 * respond; `player`: result of look() of the player; `act`: actions; `drawings`: becomes those whose pictures can be saved;
 * `built`: what the build alone writes, see Reading(). The build's tree has no `palette`: its drawings wait for the page.
 * @param {{ built?: { rays: string, words: { __html: string }[] }, [name: string]: any }} shown
 */
export function App({ now, behind, device, isSilent, player, act, drawings, built }) {
  const { palette, isPhone } = device;
  const { chosen, playing, problem } = now;
  const drawer = useDrawer();
  const isTexts = isOfTexts(chosen.mode);
  // Another mode leaves texts and map as they are.
  const seen = useLatest(now, isTexts);
  const about = useLatest(behind, isOfTexts(behind.chosen.mode));
  const learnt = useLatest(chosen, chosen.mode === 'learn');
  const { picture, facts } = seen.answer;
  const hasModel = useEver(isOfModel(about.chosen) && !about.answer.facts?.isPrerendered);
  const hasLearn = useEver(chosen.mode === 'learn');
  const hasTour = useEver(chosen.tour !== null);
  const wasSilent = useEver(isSilent);
  const play = useMemo(() => ({ ...player, press: act.play }), [player.name, player.isRunning]);
  const place = placeOf(seen);
  const awaited = awaitedModel(seen);
  // The pair in which two texts differ most is about to be selected.
  const isDue = seen.answers.difference?.isDue === true;
  const sentence = awaited ? [`${awaited.text}.`] : isDue ? null : shownSentence(seen);
  const isEmpty = isTexts && !picture && facts;
  const why = isEmpty
    ? whyEmpty({ mode: chosen.mode, writes: chosen.source === 'model' }, facts)
    : '';
  const canDraw = isTexts && palette !== null;
  const settings = canDraw && settingsOf(seen.chosen, picture, palette);
  const textSettings = {
    ...{ ...settings, grid: facts?.grid, formerRows: facts?.formerRows, playing },
    ...{ texts: facts?.texts, requested: facts?.requestedTexts, read: facts?.read },
  };
  const around = { state: seen.chosen, facts, scores: scoresOf(seen), saving: now.saving };
  return (
    <>
      <a class="skip" href="#picture">
        Skip to the picture
      </a>
      <Masthead
        mode={shownMode(now)}
        drawer={drawer}
        chooseMode={act.chooseMode}
        change={act.change}
      />
      {wasSilent ? (
        <Unresponsive
          isSilent={isSilent}
          stop={act.restart}
          keepWaiting={act.keepWaiting}
          wait={act.wait}
          until={<div class="unresponsive" hidden />}
        />
      ) : (
        <div class="unresponsive" hidden />
      )}
      <Behind.More now={behind} drawer={drawer} act={act} />
      <main data-waiting="true" hidden={chosen.tour !== null && Tour.isLoaded()}>
        <Behind.Texts now={behind} palette={palette} act={act} />
        <noscript>
          <p class="hint">This page computes on your own machine, for which it needs JavaScript.</p>
        </noscript>
        <section class="learn-room" data-for="learn" aria-labelledby="learn-title">
          {hasLearn && (
            <LearnOnce chosen={learnt} change={act.change} open={act.openTrained} wait={act.wait} />
          )}
        </section>
        <Reading
          {...{ now, about: behind, act, drawings, built }}
          texts={canDraw ? [picture, place, textSettings] : null}
          cut={facts?.cut ?? ''}
          read={facts?.read}
          play={play}
          undoes={isInText(whereOf(about))}
        />
        <section
          class={awaited ? 'picture of-another-text' : 'picture'}
          id="picture"
          data-for="self cross"
          aria-labelledby="picture-title"
        >
          <h2 id="picture-title" class="unseen">
            Attention
          </h2>
          <Row now={behind} view={chosen.view} isPhone={isPhone} change={act.change} />
          <div class="pictures">
            <Stage
              shown={canDraw ? [picture, place, settings, around] : null}
              handlers={act}
              drawings={drawings}
              says={problem || why}
              isProblem={problem !== ''}
              progress={isAwaiting(now) && now.loading}
              // Files that are loaded are needed for any picture.
              cancel={now.awaited.picture && !now.loading ? act.cancelPicture : null}
            >
              <div class="asked-for">
                <AskedFor
                  asked={isEmpty && askedFor(seen)}
                  kept={now.ownModel.kept}
                  openModel={act.openModel}
                  openFiles={act.openFiles}
                />
              </div>
            </Stage>
          </div>
          <SentenceLine parts={sentence} isBuilt={palette === null} />
          <Behind.Below
            now={about}
            isElsewhere={(place?.hovered?.row ?? place?.row) !== place?.row}
            palette={palette}
            act={act}
          />
        </section>
        {hasModel ? (
          <Menu
            blocking={act.blocking}
            cellAt={(event) => drawings.views.get('matrix').cellAt(event)}
            wait={act.wait}
            until={<Closed />}
          />
        ) : (
          <Closed />
        )}
      </main>
      {hasTour ? (
        <Tour
          {...act}
          {...{ tour: now.tour, lookup: chosen.lookup, palette }}
          until={<div class="tour" hidden />}
        />
      ) : (
        <div class="tour" hidden />
      )}
    </>
  );
}

/** The menu of what can be blocked, before it can be opened. */
const Closed = () => <div class="what-if-menu" role="menu" aria-label="Block" hidden />;
