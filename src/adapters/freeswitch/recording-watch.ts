import type { SwitchEvent } from '#ports/switch.ts';

type ConferenceFact = Extract<SwitchEvent, { kind: 'conference' }>;

/** Recordings that run at one switch: far more than it has conferences. */
const MAX_RUNNING = 2_000;

/**
 * Tells recordings that never were from others: what ends at the very moment at which it began has written nothing.
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

  /** The oldest is forgotten first. */
  #remember(conferenceName: string, at: number): void {
    const [oldest] = this.#startedAt.keys();
    if (oldest !== undefined && this.#startedAt.size >= MAX_RUNNING) this.#startedAt.delete(oldest);
    this.#startedAt.set(conferenceName, at);
  }
}
