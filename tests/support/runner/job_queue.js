// Runs jobs side by side, as many as there are processors; a job starts when those it needs have ended.
//
// A job is { name, step, needs?: string[], seconds?: number, run: () => Promise<Result> }, a result
// { passed, failed, failedTests?, skipped?, output?, notes? }, failedTests by name; the result after a failed prerequisite is
// { failed: 0, notRun: 1 }. Jobs with the longest remaining chain start first, by the durations of
// earlier runs, so that no long job is left for the end.

import { usage } from './processes.js';

/** Seconds of a job plus the longest chain of jobs that need it. */
function remainingSeconds(jobs, secondsOf) {
  const known = new Map();
  const dependents = (job) => jobs.filter(({ needs = [] }) => needs.includes(job.name));
  const remaining = (job) => {
    if (!known.has(job)) {
      const after = dependents(job).map(remaining);
      known.set(job, secondsOf(job) + Math.max(0, ...after));
    }
    return known.get(job);
  };
  return new Map(jobs.map((job) => [job, remaining(job)]));
}

/**
 * @param {object[]} jobs
 * @param {object} options
 * @param {number} options.slots how many jobs run at once
 * @param {(job: object) => number} options.secondsOf the expected duration of a job
 * @param {(job: object) => void} options.onStart
 * @param {(job: object, result: object) => void} options.onEnd the result has its duration and its processor time in seconds
 */
export async function runJobs(jobs, { slots, secondsOf, onStart, onEnd }) {
  const remaining = remainingSeconds(jobs, secondsOf);
  const waiting = new Set([...jobs].sort((a, b) => remaining.get(b) - remaining.get(a)));
  const names = new Set(jobs.map(({ name }) => name));
  const results = new Map(); // of the jobs that have ended, by name
  const running = new Set();

  const isReady = ({ needs = [] }) => needs.every((name) => !names.has(name) || results.has(name));
  const isBroken = (result) => result?.failed > 0 || result?.notRun > 0;
  const canRun = ({ needs = [] }) => !needs.some((name) => isBroken(results.get(name)));

  async function start(job) {
    waiting.delete(job);
    onStart(job);
    const begin = performance.now();
    const used = { cpu: 0 };
    let result;
    try {
      result = canRun(job) ? await usage.run(used, job.run) : { passed: 0, failed: 0, notRun: 1 };
    } catch (error) {
      result = { passed: 0, failed: 1, output: `${Object(error).stack}\n` };
    }
    result.seconds = (performance.now() - begin) / 1000;
    result.cpu = used.cpu;
    results.set(job.name, result);
    onEnd(job, result);
  }

  while (waiting.size > 0 || running.size > 0) {
    for (const job of waiting) {
      if (running.size >= slots) break;
      if (!isReady(job)) continue;
      const ended = start(job).finally(() => running.delete(ended));
      running.add(ended);
    }
    if (running.size === 0) throw new Error('jobs need each other in a circle');
    await Promise.race(running);
  }
}
