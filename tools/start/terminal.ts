import type { WriteStream } from 'node:tty';
import type { Snapshot } from './snapshot.ts';
import { type Access, duration, renderLine, renderTable } from './table.ts';
import { WORDS } from './words.ts';

/** Interval between log lines, in ms. */
const PLAIN_INTERVAL_MS = 3_000;
const DEFAULT_COLUMNS = 100;

export interface Terminal {
  /** Prints a permanent line. */
  print(line: string): void;
  show(snapshot: Snapshot, access: Access, elapsedMs: number): void;
}

/** A table that is redrawn in place, or lines every few seconds when `output` is not a terminal or `plain` is set. */
export function openTerminal(output: WriteStream, plain: boolean): Terminal {
  return output.isTTY && !plain ? drawingTerminal(output) : plainTerminal(output);
}

function drawingTerminal(output: WriteStream): Terminal {
  let drawn = 0;
  return {
    // A printed line stays: the next drawing begins below it.
    print: line => {
      drawn = 0;
      output.write(`${line}\n`);
    },
    show: (snapshot, access, elapsedMs) => {
      const lines = renderTable(snapshot, access, elapsedMs, { columns: output.columns || DEFAULT_COLUMNS, words: WORDS });
      const back = drawn === 0 ? '' : `\u001B[${drawn}A\u001B[J`;
      output.write(`${back}${lines.join('\n')}\n`);
      drawn = lines.length;
    },
  };
}

function plainTerminal(output: WriteStream): Terminal {
  let lastAt = Number.NEGATIVE_INFINITY;
  let last = '';
  return {
    print: line => {
      output.write(`${line}\n`);
    },
    show: (snapshot, _access, elapsedMs) => {
      if (elapsedMs - lastAt < PLAIN_INTERVAL_MS) return;
      lastAt = elapsedMs;
      const line = renderLine(snapshot, WORDS);
      // Skip a line that equals the last one.
      if (line === last) return;
      last = line;
      output.write(`${duration(elapsedMs)} ${line}\n`);
    },
  };
}
