// What the server tells of commits: all of it by one stream for each window, since a browser opens six connections to a
// server for all of its windows.

import { Failure, call, stream } from "./api.js";

/** How many windows have a stream at a time, so that a connection is left for calls. */
const places = 5;
/** How long to wait before something is tried again, in milliseconds: longer each time. */
const pauseAfter = (attempt) => Math.min(500 * 2 ** attempt, 10_000);

/** What will be the same however often it is tried. */
const isFinal = (failure) => ["invalidRequest", "token"].includes(failure.code);

/** The stream of this window, open while the window is in sight, and the observations that it tells of. */
class Events {
  constructor() {
    this.observations = new Set();
    this.attempt = 0;
    /** The number that the server has given the stream; null while it is not open. */
    this.stream = null;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#pause() : this.#open()));
  }

  /**
   * Observes something, which goes on until the observation is closed.
   *
   * `onState` is called with "waiting", or with a failure and whether it will be tried again.
   */
  observe(what, onEvent, onState = () => {}) {
    const observation = new Observation(this, what, onEvent, onState);
    this.observations.add(observation);
    if (this.stream !== null) observation.begin();
    else if (!document.hidden) this.#open();
    return observation;
  }

  /** Opens the stream anew: that of another run, or in place of one that the server has no more. */
  restart() {
    this.attempt = 0;
    this.#pause();
    if (!document.hidden) this.#open();
  }

  #pause() {
    clearTimeout(this.timer);
    this.controller?.abort();
    this.controller = null;
    this.#forget();
  }

  #forget() {
    this.stream = null;
    for (const observation of this.observations) observation.pause();
  }

  #tell(failure) {
    for (const observation of this.observations) observation.onState(failure, !isFinal(failure));
  }

  async #open() {
    if (this.controller || this.observations.size === 0) return;
    const controller = (this.controller = new AbortController());
    const { signal } = controller;
    let failure = new Failure({ code: "unreachable", message: "The connection to dbclient was lost." });
    try {
      await inPlace(signal, () => this.#tell(full), async () => {
        await stream("events", {}, signal, (event) => !signal.aborted && this.#take(event));
      });
    } catch (error) {
      if (error instanceof Failure) failure = error;
    }
    if (signal.aborted || this.controller !== controller) return;
    this.controller = null;
    this.#forget();
    this.#tell(failure);
    if (isFinal(failure)) return;
    this.timer = setTimeout(() => this.#open(), pauseAfter(this.attempt++));
  }

  #take(event) {
    if (event.type === "open") {
      this.attempt = 0;
      this.stream = event.stream;
      for (const observation of this.observations) observation.begin();
      return;
    }
    for (const observation of this.observations) {
      if (observation.number === event.of) observation.take(event);
    }
  }
}

let numbers = 1;

/** Something that is observed: begun again after a failure, later each time. */
class Observation {
  constructor(events, what, onEvent, onState) {
    Object.assign(this, { events, what, onEvent, onState });
    this.attempt = 0;
    this.number = null;
  }

  /** Ends it. */
  close() {
    const { number, events } = this;
    this.pause();
    events.observations.delete(this);
    if (number !== null && events.stream !== null) {
      // A server that has no such stream has ended it as well.
      call("forget", { stream: events.stream, number }).catch(() => {});
    }
  }

  /** Takes no events until it is begun again. */
  pause() {
    clearTimeout(this.timer);
    this.number = null;
  }

  async begin() {
    this.pause();
    const { stream } = this.events;
    if (stream === null) return;
    // Another one each time, so that no event of a former time is taken for one of this.
    const number = (this.number = numbers++);
    this.onState("waiting");
    try {
      await call("observe", { stream, number, ...this.what });
    } catch (failure) {
      if (this.number !== number) return;
      if (failure.code === "noStream") this.events.restart();
      else this.#fail(failure);
    }
  }

  take(event) {
    if (event.type === "error") return this.#fail(new Failure(event.error));
    this.attempt = 0;
    this.onEvent(event);
  }

  #fail(failure) {
    this.pause();
    this.onState(failure, !isFinal(failure));
    if (isFinal(failure)) return;
    this.timer = setTimeout(() => this.begin(), pauseAfter(this.attempt++));
  }
}

const full = new Failure({
  code: "full",
  message: `A browser keeps ${places} windows live; this one is as soon as another is closed or out of sight.`,
});

/** Calls a function once one of the places for streams, which all windows share, is free. */
async function inPlace(signal, onWait, body) {
  const { locks } = navigator;
  if (!locks) return body();
  const names = Array.from({ length: places }, (_, index) => `dbclient-events-${index}`);
  let isTaken = false;
  const take = (lock) => {
    if (!lock || isTaken || signal.aborted) return undefined;
    isTaken = true;
    return body();
  };
  for (const name of names) {
    await locks.request(name, { ifAvailable: true }, take);
    if (isTaken || signal.aborted) return undefined;
  }
  onWait();
  const waiting = new AbortController();
  signal.addEventListener("abort", () => waiting.abort());
  const requests = names.map((name) =>
    locks.request(name, { signal: waiting.signal }, (lock) => {
      const done = take(lock);
      waiting.abort();
      return done;
    }),
  );
  const results = await Promise.allSettled(requests);
  const failed = results.find(({ reason }) => reason && reason.name !== "AbortError");
  if (failed) throw failed.reason;
  return undefined;
}

export const events = new Events();
