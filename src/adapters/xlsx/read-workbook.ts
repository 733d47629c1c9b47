import { Worker } from 'node:worker_threads';
import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import type { WorkbookAnswer, WorkbookQuestion } from './workbook-worker.ts';

/** Reading the largest workbook that passes the bounds takes a few seconds, ms. */
const TIME_LIMIT_MS = 20_000;
const MAX_HEAP_MB = 768;

export interface ReadSheet {
  /** Texts; rows that are empty, or hidden and left out, stand as empty ones. */
  rows: string[][];
  /** Rows with something in them that were left out. */
  hiddenRows: number;
  /** Of the workbook, in their order. */
  sheets: { name: string; isHidden: boolean }[];
}

/**
 * Rows of one sheet of an XLSX file as texts, as a person sees them: the first sheet that is not hidden, or the one named `sheet`.
 *
 * Why:    in a thread of its own, with bounds on memory and time: a file of 5 MiB may hold gigabytes
 * Errors: INVALID_ARGUMENT naming `file` or `sheet`
 * Source: D6.3
 */
export async function readWorkbook(
  bytes: Uint8Array,
  { sheet, includesHidden }: { sheet: string | null; includesHidden: boolean },
): Promise<ReadSheet> {
  const answer = await askWorker({ bytes, sheet, includesHidden });
  if (answer.kind === 'rows') return answer;
  throw invalidArgument(answer.field, answer.fault);
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
    const unreadable = (cause: unknown) =>
      new CalloutError('INVALID_ARGUMENT', '参数错误：file 工作簿过大或已损坏，请另存为 CSV 后导入', { field: 'file', cause });
    const timer = setTimeout(() => end(() => reject(unreadable(new Error('the time is over')))), TIME_LIMIT_MS);
    worker.once('message', (answer: WorkbookAnswer) => end(() => resolve(answer)));
    worker.once('error', error => end(() => reject(unreadable(error))));
  });
}
