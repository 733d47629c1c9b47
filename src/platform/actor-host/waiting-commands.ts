import type { Cancel, Clock } from '#kernel/clock.ts';

/** Longest wait of a command for its actor's next event, ms. */
const MAX_WAIT_MS = 100;

/**
 * Commands that are not urgent: they are committed with the actor's next event, or together after a short delay.
 *
 * Why: a call is created, rings and is accepted within 0.1 s; separate commits would each cost a round trip, a delta and a snapshot
 */
export class WaitingCommands<Command> {
  readonly #waiting = new Map<string, { commands: Command[]; cancel: Cancel }>();
  readonly #clock: Pick<Clock, 'schedule'>;

  constructor(clock: Pick<Clock, 'schedule'>) {
    this.#clock = clock;
  }

  /** `leave` is called when the first command has waited long enough, unless all have been taken before. */
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
