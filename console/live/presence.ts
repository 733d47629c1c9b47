import { dutyName, isKeptOnDuty, keepOnDuty } from './duty-kept.ts';
import type { CapacityFragment } from './presence.generated.ts';

/** Whether this person is given calls, and how many there is room for. */
export interface PresenceState {
  isOnDuty: boolean;
  capacity: CapacityFragment | null;
  /** Why the last heartbeat failed; null when it did not. */
  problem: string | null;
}

/** How the server hears of it. */
export interface PresenceCalls {
  /** Resolves to the room that there is. Errors: with words for people */
  beat: (campaignId: string | null) => Promise<CapacityFragment>;
  leave: () => Promise<unknown>;
}

/** The server forgets who is silent for 30 s. */
const BEAT_MS = 10_000;

/**
 * One person's presence over all their tabs: one tab at a time sends the heartbeats, the others hear from it what came of them; when it is closed, the next
 * one goes on. Going on or off duty in one tab does so in all.
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

  /** Only calls of this campaign are wanted; null: of any. Told with the next heartbeat. */
  narrow(campaignId: string | null): void {
    this.#campaignId = campaignId;
  }

  goOn(): void {
    keepOnDuty(this.#userId, true);
    this.#tell({ isOnDuty: true, capacity: null, problem: null });
    this.#begin();
  }

  /** Calls go to others at once. */
  goOff(): void {
    keepOnDuty(this.#userId, false);
    this.close();
    this.#tell({ isOnDuty: false, capacity: null, problem: null });
    void this.#calls.leave().catch(() => undefined);
  }

  /** Sends nothing any more: whoever was signed in has gone. */
  close(): void {
    this.#beating?.abort();
    this.#beating = null;
  }

  /** Another tab has told. */
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
    // Over plain HTTP there are no locks: then each tab beats for itself, and the server counts them as one.
    if (!('locks' in navigator)) return void this.#beat(signal);
    void navigator.locks.request(this.#name, { signal }, () => this.#beat(signal)).catch(() => undefined);
  }

  async #beat(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const told = await this.#calls.beat(this.#campaignId).then(
        capacity => ({ capacity, problem: null }),
        (error: Error) => ({ capacity: null, problem: error.message }),
      );
      if (signal.aborted) return;
      this.#tell({ isOnDuty: true, ...told });
      await pause(signal);
    }
  }

  #tell(state: PresenceState): void {
    this.#show(state);
    // A channel has no other origin than its own.
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
