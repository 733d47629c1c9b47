import { dutyName, isKeptOnDuty, keepOnDuty } from './duty-kept.ts';
import type { CapacityFragment } from './presence.generated.ts';

/** Whether the user is on duty, and the capacity of the monitors. */
export interface PresenceState {
  isOnDuty: boolean;
  capacity: CapacityFragment | null;
  /** Why the last heartbeat failed; null when it did not. */
  problem: string | null;
}

/** The requests that report presence to the server. */
export interface PresenceCalls {
  /** Resolves to the capacity. Errors: with a message for the user */
  beat: (campaignId: string | null) => Promise<CapacityFragment>;
  leave: () => Promise<unknown>;
}

/** Interval of heartbeats, in ms; the server forgets a user after 30 s without one. */
const BEAT_MS = 10_000;
/** Without a heartbeat for this long the sending tab is gone, in ms. */
const TURN_MS = 15_000;
/** Message of a new tab to the one that sends: what is the state? */
const ASKS = 'asks';

/**
 * Presence of one user across all their tabs: one tab at a time sends the heartbeats and shares their results; when it closes, another
 * takes over. Going on or off duty in one tab applies to all.
 */
export class Presence {
  readonly #userId: string;
  readonly #name: string;
  readonly #calls: PresenceCalls;
  readonly #channel: BroadcastChannel;
  readonly #listeners = new Set<() => void>();
  #state: PresenceState;
  #campaignId: string | null = null;
  #beating: AbortController | null = null;
  /** This tab sends the heartbeats. */
  #isSending = false;
  readonly #tab = crypto.getRandomValues(new Uint32Array(2)).join('-');

  constructor(userId: string, calls: PresenceCalls) {
    this.#userId = userId;
    this.#name = dutyName(userId);
    this.#calls = calls;
    this.#state = { isOnDuty: isKeptOnDuty(userId), capacity: null, problem: null };
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.addEventListener('message', ({ data }: MessageEvent<PresenceState | typeof ASKS>) => this.#hear(data));
    if (!this.#state.isOnDuty) return;
    this.#post(ASKS);
    this.#begin();
  }

  state = (): PresenceState => this.#state;

  onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Restricts the calls to one campaign; null lifts the restriction. The next heartbeat sends it. */
  narrow(campaignId: string | null): void {
    this.#campaignId = campaignId;
  }

  goOn(): void {
    keepOnDuty(this.#userId, true);
    this.#publish({ isOnDuty: true, capacity: null, problem: null });
    this.#begin();
  }

  /** Leaves at once, so that new calls go to others. */
  goOff(): void {
    keepOnDuty(this.#userId, false);
    this.close();
    this.#publish({ isOnDuty: false, capacity: null, problem: null });
    void this.#calls.leave().catch(() => undefined);
  }

  /** Stops the heartbeats, for instance after a sign-out. */
  close(): void {
    this.#beating?.abort();
    this.#beating = null;
    this.#isSending = false;
  }

  /** Takes over the state that another tab has sent, or gives its own to a new one. */
  #hear(state: PresenceState | typeof ASKS): void {
    if (state === ASKS) {
      if (this.#isSending) this.#post(this.#state);
      return;
    }
    this.#show(state);
    if (state.isOnDuty) this.#begin();
    else this.close();
  }

  #begin(): void {
    if (this.#beating) return;
    const beating = new AbortController();
    this.#beating = beating;
    const { signal } = beating;
    // Without HTTPS there is no Web Locks API: the tabs then take turns by a note in the storage that they share.
    if (!('locks' in navigator)) return void this.#beat(signal, () => this.#takesTurn());
    void navigator.locks.request(this.#name, { signal }, () => this.#beat(signal, () => true)).catch(() => undefined);
  }

  /** Whether it is this tab that sends: its own turn goes on, and another's has ended when nothing was sent for long. */
  #takesTurn(): boolean {
    const turn = `${this.#name}.turn`;
    const [tab, at] = (localStorage.getItem(turn) ?? '').split(' ');
    const isAnothers = tab !== this.#tab && Date.now() - Number(at ?? 0) < TURN_MS;
    if (!isAnothers) localStorage.setItem(turn, `${this.#tab} ${Date.now()}`);
    return !isAnothers;
  }

  async #beat(signal: AbortSignal, isOurTurn: () => boolean): Promise<void> {
    while (!signal.aborted) {
      this.#isSending = isOurTurn();
      if (!this.#isSending) {
        await pause(signal);
        continue;
      }
      const beat = await this.#calls.beat(this.#campaignId).then(
        capacity => ({ capacity, problem: null }),
        (error: Error) => ({ capacity: null, problem: error.message }),
      );
      if (signal.aborted) return;
      this.#publish({ isOnDuty: true, ...beat });
      await pause(signal);
    }
  }

  #publish(state: PresenceState): void {
    this.#show(state);
    this.#post(state);
  }

  #post(message: PresenceState | typeof ASKS): void {
    // A BroadcastChannel reaches only its own origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#channel.postMessage(message);
  }

  #show(state: PresenceState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, BEAT_MS);
    signal.addEventListener('abort', end);
  });
}
