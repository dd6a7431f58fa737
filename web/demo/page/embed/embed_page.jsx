// The body of the compact page as one tree of components. The build renders it without a picture into embed.html, and the page
// takes that over.

import { Stage } from '../stage.jsx';
import { Readout } from './readout.jsx';

/**
 * `title` and `how` of the caption; `href` of the whole page; `stage`: arguments of Stage(); `cell` and `parts`: see Readout();
 * `isWaiting`: a picture is awaited.
 */
export const EmbedPage = ({ title, how, href, stage, cell, parts, isWaiting }) => (
  <main data-waiting={isWaiting}>
    <header>
      <h1>{title}</h1>
      <p class="hint how">{how}</p>
    </header>
    <Stage {...stage} isSaid />
    <Readout cell={cell} parts={parts} />
    <p class="hint back">
      <a target="_blank" rel="noopener" href={href}>
        See attention
      </a>
    </p>
  </main>
);

/** Arguments of what the build renders. */
export const emptyPage = {
  ...{ title: '', how: '', href: undefined, cell: null, parts: null, isWaiting: true },
  stage: { shown: null, says: '', isProblem: false, progress: false },
};
