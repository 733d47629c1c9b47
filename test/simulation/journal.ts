import type { IdSource } from '#kernel/ids.ts';

/** Log of a run, one line per event; costs nothing when it is not kept. */
export interface Journal {
  write(line: () => string): void;
  readonly lines: readonly string[];
}

export function journal(now: () => number, isKept: boolean): Journal {
  const lines: string[] = [];
  const startedAt = now();
  return {
    lines,
    write(line) {
      if (isKept) lines.push(`${String(now() - startedAt).padStart(9)} ${shortIds(line())}`);
    },
  };
}

const PREFIX = '00000000-0000-4000-8000-';

/** UUIDs that count up: readable in a log, and equal in every run of a seed. */
export function countingIds(): IdSource {
  let made = 0;
  return () => PREFIX + String(++made).padStart(12, '0');
}

/** Shortens ids: `00000000-0000-4000-8000-000000000017` → `#17`. */
export function shortIds(text: string): string {
  return text.replaceAll(/00000000-0000-4000-8000-0*(\w+)/g, '#$1');
}
