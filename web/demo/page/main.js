// Entry point of the page: connects store, worker, address and screen. A keystroke goes one way, and passes each stop
// once: text field → store → request → worker → store → screen.

import sources from 'virtual:source-list';
import {
  answered,
  differenceFound,
  failed,
  inspected,
  loading,
  restarted,
} from '../state/answers.js';
import { askPicture, choose } from '../state/changes.js';
import { followSweep, sweepQuestionOf, swept } from '../state/sweep.js';
import { changedFields, inspectionOf, isAwaiting } from '../state/derived.js';
import { createStore, initialStore } from '../state/store.js';
import { createAddressHistory, stateOfAddress } from './address.js';
import { withInspector } from './inspector/opening.js';
import { prerendered } from './prerendered.js';
import { createScreen } from './screen.js';
import { connectWorker } from './worker_link.js';

const opening = withInspector(stateOfAddress());
const store = createStore(initialStore(opening, prerendered(opening), sources), followSweep);

const link = connectWorker({
  isAwaited: () => isAwaiting(store.get()),
  silence: (isSilent) => screen.showUnresponsive(isSilent),
  shown: ({ type: _type, id: _id, ...answer }) => store.update(answered, answer),
  inspected: (message) => store.update(inspected, message),
  problem: (message) => store.update(failed, message),
  progress(message) {
    if (message.source === 'own') screen.progress(message);
    else if (message.isLoading) store.update(loading, message);
  },
  // A file that cannot be read changes nothing else.
  refused: (message) => screen.refused(message),
  opened(message) {
    screen.opened(message);
    store.update(askPicture);
  },
});

const screen = createScreen({
  store,
  link,
  /** Replaces the worker by a new one with the same state; its open files and model are closed. */
  restart() {
    link.restart();
    screen.stopped();
    store.update(restarted);
  },
});

async function seekDifference({ picture }) {
  const place = await screen.wait(link.difference());
  store.update(differenceFound, { picture, place });
}

const addressHistory = createAddressHistory((state) => {
  store.update(choose, withInspector(state, store.get().chosen.inspector));
});

store.subscribe((now, before) => {
  if (now.asked.picture !== before.asked.picture) link.show(now.chosen);
  const place = inspectionOf(now);
  if (place && now.asked.inspection !== before.asked.inspection) link.inspect(place);
  if (now.asked.sweep !== before.asked.sweep) {
    link.sweep(sweepQuestionOf(now), (message) => store.update(swept, message));
  }
  if (now.asked.difference !== before.asked.difference) seekDifference(now.answer);
});
store.subscribe(screen.show);
store.subscribe(({ chosen, isTyped }, { chosen: before }) => {
  if (chosen === before) return;
  addressHistory.follow(chosen, changedFields(chosen, before), before, isTyped);
});

store.update(askPicture);
screen.show(store.get());
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  // The page's files, then those of the reference, which has a worker of its own.
  const register = (file) => navigator.serviceWorker.register(new URL(file, document.baseURI));
  register('service_worker.js')
    .then(() => navigator.serviceWorker.ready)
    .then(() => register('api/service_worker.js'))
    .catch(() => {});
}
