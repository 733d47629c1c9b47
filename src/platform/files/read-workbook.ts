import { Worker } from 'node:worker_threads';
import { invalidInput } from '#kernel/errors.ts';
import { problem } from '#kernel/problem.ts';
import type { WorkbookAnswer, WorkbookQuestion } from './workbook-worker.ts';

/** Time limit, ms; the largest workbook within the bounds takes a few seconds. */
const TIME_LIMIT_MS = 20_000;
const MAX_HEAP_MB = 768;

export interface ReadSheet {
  /** Cell texts; rows that are empty, or hidden and omitted, are empty lists. */
  rows: string[][];
  /** Number of omitted rows that have content. */
  hiddenRows: number;
  /** Sheets of the workbook, in order. */
  sheets: { name: string; isHidden: boolean }[];
}

/**
 * Reads one sheet of an XLSX file as the texts that a user sees: the first visible sheet, or the one named `sheet`.
 *
 * Why:    runs in a separate thread with limits on memory and time, because a file of 5 MiB may expand to gigabytes
 * Errors: INVALID_ARGUMENT naming `file` or `sheet`
 * Source: D6.3
 */
export async function readWorkbook(
  bytes: Uint8Array,
  { sheet, includesHidden }: { sheet: string | null; includesHidden: boolean },
): Promise<ReadSheet> {
  const answer = await askWorker({ bytes, sheet, includesHidden });
  if (answer.kind === 'rows') return answer;
  throw invalidInput([answer.fault]);
}

function askWorker(question: WorkbookQuestion): Promise<WorkbookAnswer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('workbook-worker.ts', import.meta.url), {
      workerData: question,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const end = (settle: () => void) => {
      clearTimeout(timer);
      settle();
      void worker.terminate();
    };
    const unreadable = (cause: unknown) => invalidInput([{ field: 'file', problem: problem('hugeWorkbook') }], cause);
    const timer = setTimeout(() => end(() => reject(unreadable(new Error('the time is over')))), TIME_LIMIT_MS);
    worker.once('message', (answer: WorkbookAnswer) => end(() => resolve(answer)));
    worker.once('error', error => end(() => reject(unreadable(error))));
  });
}
