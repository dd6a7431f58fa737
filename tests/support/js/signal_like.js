// A signal of another realm, as an iframe or jsdom has them: all of an AbortSignal but its class.
export function signalLike(signal, lacking = undefined) {
  const like = {
    get aborted() {
      return signal.aborted;
    },
    get reason() {
      return signal.reason;
    },
    throwIfAborted: () => signal.throwIfAborted(),
    addEventListener: (...given) => signal.addEventListener(...given),
    removeEventListener: (...given) => signal.removeEventListener(...given),
  };
  delete like[lacking];
  return like;
}
