import { applyEvent, type LiveCallsEvent, type WatchedCall, type WatchedCalls } from './call-changes.ts';

/** Shortest interval between two updates of the lists, in ms; a card shows each change of its call at once. */
const LIST_MS = 500;

/**
 * The current live calls, with a listener for each call: a caption renders the one card that shows it, not the list.
 *
 * Why: with 1,000 calls and 500 captions a second a caption must not render a list
 */
export class CallStore {
  readonly #calls: WatchedCalls = new Map();
  readonly #ofCall = new Map<string, Set<() => void>>();
  readonly #ofList = new Set<() => void>();
  readonly #touched = new Set<string>();
  readonly #frames = new Frames(() => this.#paint());
  #isListTouched = false;
  #listTimer: ReturnType<typeof setTimeout> | null = null;
  /** The calls as lists show them: replaced when a value changes by which lists filter or sort, not for a caption. */
  #list: readonly WatchedCall[] = [];
  #isThere = false;
  #isTruncated = false;

  take(event: LiveCallsEvent): void {
    if (event.__typename === 'LiveCallsSnapshot') {
      this.#isThere = true;
      this.#isTruncated = event.truncated;
    }
    const { keys, isListChanged } = applyEvent(this.#calls, event);
    if (keys.length === 0 && !isListChanged) return;
    for (const key of keys) this.#touched.add(key);
    this.#isListTouched ||= isListChanged;
    this.#frames.request();
  }

  /** Stops pending updates when the page closes. */
  close(): void {
    this.#frames.cancel();
    if (this.#listTimer !== null) clearTimeout(this.#listTimer);
    this.#listTimer = null;
  }

  call = (key: string): WatchedCall | undefined => this.#calls.get(key);

  list = (): readonly WatchedCall[] => this.#list;

  /** False until the first snapshot. */
  isThere = (): boolean => this.#isThere;

  /** Whether there are more calls than the stream sends. */
  isTruncated = (): boolean => this.#isTruncated;

  onCall(key: string, listener: () => void): () => void {
    const listeners = this.#ofCall.get(key) ?? new Set();
    this.#ofCall.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#ofCall.delete(key);
    };
  }

  onList = (listener: () => void): (() => void) => {
    this.#ofList.add(listener);
    return () => this.#ofList.delete(listener);
  };

  #paint(): void {
    const touched = [...this.#touched];
    this.#touched.clear();
    if (this.#isListTouched && this.#listTimer === null) this.#showList();
    for (const key of touched) for (const listener of this.#ofCall.get(key) ?? []) listener();
  }

  /** Notifies at once, and again after `LIST_MS` when more has changed meanwhile. */
  #showList(): void {
    this.#isListTouched = false;
    this.#list = [...this.#calls.values()];
    for (const listener of this.#ofList) listener();
    this.#listTimer = setTimeout(() => {
      this.#listTimer = null;
      if (this.#isListTouched) this.#showList();
    }, LIST_MS);
  }
}

/**
 * Merges all requests of one animation frame into one paint.
 *
 * Why: hundreds of changes arrive per second, and each would render separately; a hidden tab paints nothing and catches up when it becomes
 *      visible
 */
class Frames {
  readonly #paint: () => void;
  #frame: number | null = null;

  constructor(paint: () => void) {
    this.#paint = paint;
  }

  request(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.#paint();
    });
  }

  cancel(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }
}
