import type { Cancel, Clock } from '#kernel/clock.ts';

/** API commands that wait for their time, by group. */
export class ScheduledCommands {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<Cancel>>();
  #added = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `sched_api +SECONDS GROUP COMMAND`; other forms of the time are not supported. Source: mod_commands.c */
  add(argument: string, run: (line: string) => void): string {
    const [, seconds = '', group = '', line = ''] = /^\+(\d{1,6}) (\S+) (.+)$/.exec(argument) ?? [];
    if (line === '') return '-ERR Invalid syntax. USAGE: [+@]<time> <group_name> <command_string>[&]\n';
    const tasks = this.#waiting.get(group) ?? new Set();
    this.#waiting.set(group, tasks);
    const cancel = this.#clock.schedule(Number(seconds) * 1_000, () => {
      tasks.delete(cancel);
      run(line);
    });
    tasks.add(cancel);
    this.#added += 1;
    return `+OK Added: ${this.#added}\n`;
  }

  delete(group: string): string {
    const tasks = this.#waiting.get(group) ?? new Set();
    this.#waiting.delete(group);
    for (const cancel of tasks) cancel();
    return `+OK Deleted: ${tasks.size}\n`;
  }

  clear(): void {
    for (const group of this.#waiting.keys()) this.delete(group);
  }
}
