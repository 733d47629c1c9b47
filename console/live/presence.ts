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

  constructor(userId: string, calls: PresenceCalls) {
    this.#userId = userId;
    this.#name = dutyName(userId);
    this.#calls = calls;
    this.#state = { isOnDuty: isKeptOnDuty(userId), capacity: null, problem: null };
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.addEventListener('message', ({ data }: MessageEvent<PresenceState>) => this.#hear(data));
    if (this.#state.isOnDuty) this.#begin();
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
  }

  /** Takes over the state that another tab has sent. */
  #hear(state: PresenceState): void {
    this.#show(state);
    if (state.isOnDuty) this.#begin();
    else this.close();
  }

  #begin(): void {
    if (this.#beating) return;
    const beating = new AbortController();
    this.#beating = beating;
    const { signal } = beating;
    // Without HTTPS there is no Web Locks API: each tab then sends heartbeats, and the server counts them as one user.
    if (!('locks' in navigator)) return void this.#beat(signal);
    void navigator.locks.request(this.#name, { signal }, () => this.#beat(signal)).catch(() => undefined);
  }

  async #beat(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
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
    // A BroadcastChannel reaches only its own origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#channel.postMessage(state);
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
