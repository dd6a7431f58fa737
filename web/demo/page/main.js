// Entry point of the page: connects store, worker, address and screen. A keystroke goes one way, and passes each stop
// once: text field → store → request → worker → store → screen.

import sources from 'virtual:source-list';
import { failed } from '../state/answers.js';
import { askPicture, choose } from '../state/changes.js';
import { changedFields } from '../state/derived.js';
import { follow, restarted } from '../state/questions.js';
import { createStore, initialStore } from '../state/store.js';
import { connectWorker } from '../worker/client.js';
import { createAddressHistory, readAddress, stateOfAddress } from './address.js';
import { passQuestions } from './asking.js';
import { withFlow } from './flow/opening.js';
import { prerendered } from './prerendered.js';
import { createScreen } from './screen.jsx';

const opening = withFlow(stateOfAddress());
const store = createStore(initialStore(opening, prerendered(opening), sources), follow);

const { worker, keepWaiting, ...link } = connectWorker({
  silence: (isSilent) => screen.showUnresponsive(isSilent),
  problem: (message) => store.update(failed, { message }),
});

const screen = createScreen({
  ...{ store, worker, keepWaiting },
  /** Replaces the worker by a new one with the same state; its open files and model are closed. */
  restart() {
    link.restart();
    store.update(restarted);
  },
});

const addressHistory = createAddressHistory((state) => {
  store.update(choose, withFlow(state, store.get().chosen.flow));
});

passQuestions(store, worker, readAddress, screen.save);
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
