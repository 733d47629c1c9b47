import type { Cancel, Clock } from '#kernel/clock.ts';

/** What may wait for its actor's next event waits so long at most, ms. */
const MAX_WAIT_MS = 100;

/**
 * Commands that nobody is hurried by: they are written with what happens next to their actor, or together after a moment.
 *
 * Why: a call is created, rings and is accepted within a tenth of a second, and each commit of its own is a round trip, a delta and a snapshot more
 */
export class WaitingCommands<Command> {
  readonly #waiting = new Map<string, { commands: Command[]; cancel: Cancel }>();
  readonly #clock: Pick<Clock, 'schedule'>;

  constructor(clock: Pick<Clock, 'schedule'>) {
    this.#clock = clock;
  }

  /** `leave` is called when the first of them has waited long enough, unless they have been taken. */
  add(id: string, command: Command, leave: () => void): void {
    const known = this.#waiting.get(id);
    if (known) known.commands.push(command);
    else this.#waiting.set(id, { commands: [command], cancel: this.#clock.schedule(MAX_WAIT_MS, leave) });
  }

  take(id: string): Command[] {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.cancel();
    return waiting?.commands ?? [];
  }

  ids(): string[] {
    return [...this.#waiting.keys()];
  }
}
