import type { SwitchEvent } from './switch.ts';

type ConferenceFact = Extract<SwitchEvent, { kind: 'conference' }>;

/** Limit of tracked recordings per switch, far above its number of conferences. */
const MAX_RUNNING = 2_000;

/**
 * Detects failed recordings: one that ends at the instant at which it started has written nothing.
 *
 * Source: test/fixtures/esl/README.md §1a
 */
export class RecordingWatch {
  readonly #startedAt = new Map<string, number>();

  judge(fact: ConferenceFact): ConferenceFact {
    const { action, conferenceName, at } = fact;
    if (action === 'recording_started') this.#remember(conferenceName, at);
    if (action !== 'recording_stopped') return fact;
    const startedAt = this.#startedAt.get(conferenceName);
    this.#startedAt.delete(conferenceName);
    return startedAt === at ? { ...fact, action: 'recording_failed' } : fact;
  }

  /** Evicts the oldest entry when full. */
  #remember(conferenceName: string, at: number): void {
    const [oldest] = this.#startedAt.keys();
    if (oldest !== undefined && this.#startedAt.size >= MAX_RUNNING) this.#startedAt.delete(oldest);
    this.#startedAt.set(conferenceName, at);
  }
}
