import { callbackFault } from '#callbacks/callback.ts';
import type { Headings } from '#contacts/contact.ts';
import { instantText, toInstant } from '#kernel/fields.ts';
import { problem, wordsOf } from '#kernel/problem.ts';
import { MAX_CALLBACK_NOTE_LENGTH } from '#protocol/result.ts';

export const CALLBACK_COLUMNS = ['callbackAt', 'callbackNote'] as const;
type CallbackColumn = (typeof CALLBACK_COLUMNS)[number];

/** Headings of the columns of promised callbacks; a bare 备注 is the contact's. Source: D6.3 */
export const CALLBACK_HEADINGS: Readonly<Record<CallbackColumn, Headings>> = {
  callbackAt: {
    documented: ['回访时间', 'callbackat'],
    alias: /^(?:(?:约定|预约|下次)?(?:回访|回拨|回电)(?:日期|时间)+|callback(?:time|date|at)?)$/,
  },
  callbackNote: {
    documented: ['回访备注', 'callbacknote'],
    alias: /^(?:(?:约定|预约)?(?:回访|回拨|回电)(?:备注|内容|说明|事由)|callback(?:notes?|remarks?|reason))$/,
  },
};

/** A callback that a row promises. `dueAt` UTC ms */
export interface RowPromise {
  dueAt: number;
  note: string;
}

/** Bounds of the promises in a file. Instants are UTC ms. */
export interface PromiseBounds {
  now: number;
  /** Times without a zone are in this one. */
  zone: string;
  /** End of the campaign, from which on nothing is dialled; null: none. */
  endsAt: number | null;
}

export type ReadPromise = { promise: RowPromise | null } | { column: CallbackColumn; reason: string };

/** The promise of a row's cells; `reason` is Chinese. */
export function readPromise(cells: Record<CallbackColumn, string>, { now, zone, endsAt }: PromiseBounds): ReadPromise {
  const [text, note] = [cells.callbackAt.trim(), cells.callbackNote.trim()];
  if (text === '') return { promise: null };
  const dueAt = instantOf(text, zone);
  if (dueAt === null) return { column: 'callbackAt', reason: '回访时间应为 YYYY-MM-DD HH:mm' };
  const fault =
    callbackFault({ dueAt, until: null }, now)?.problem ?? (endsAt !== null && dueAt >= endsAt ? problem('afterCampaignEnd') : null);
  if (fault !== null) return { column: 'callbackAt', reason: `回访时间${wordsOf(fault, 'zh')}` };
  if (note.length > MAX_CALLBACK_NOTE_LENGTH)
    return { column: 'callbackNote', reason: `回访备注不能超过 ${MAX_CALLBACK_NOTE_LENGTH} 个字符` };
  return { promise: { dueAt, note } };
}

const DATE = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?[ T]*(\d{1,2})[:：时](\d{1,2})分?(?::(\d{2}))?$/;

/** A date as spreadsheets write it, or an instant with its zone; null when it is neither. */
function instantOf(text: string, zone: string): number | null {
  const written = DATE.exec(text.normalize('NFKC'));
  return readInstant(written === null ? text : localText(written.slice(1)), zone);
}

function localText(parts: readonly (string | undefined)[]): string {
  const [year = '', ...rest] = parts;
  const [month, day, hour, minute, second] = rest.map(part => (part ?? '0').padStart(2, '0'));
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`;
}

function readInstant(text: string, zone: string): number | null {
  const { success } = instantText.safeParse(text);
  return success ? toInstant(text, zone) : null;
}
