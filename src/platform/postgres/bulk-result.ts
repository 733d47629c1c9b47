import { sql } from 'kysely';
import { BUSY_CONTACT } from '#contacts/contact-edits.ts';
import { OPEN } from '#attempts/open-attempt.ts';
import { ids } from './values.ts';
import { type CalloutError, conflict, notFound } from '#kernel/errors.ts';
import type { ListDeps } from './listing.ts';

/** Most skipped rows whose reason is reported. */
const MAX_EXPLAINED = 100;

/** Result of a command on many rows. Shape: requested = affected + skipped. Source: D6.2 */
export interface BulkResult {
  requested: number;
  affected: number;
  skipped: number;
  left: LeftRows;
}

/** Requested rows that were skipped. */
export interface LeftRows {
  of: 'contact' | 'attempt';
  /** Null for rows of any campaign. */
  campaignId: number | null;
  /** At most the first 100. */
  ids: readonly number[];
}

export function leftOf(of: LeftRows['of'], campaignId: number | null, named: readonly number[], affectedIds: readonly number[]): LeftRows {
  const affected = new Set(affectedIds);
  return { of, campaignId, ids: [...new Set(named)].filter(id => !affected.has(id)).slice(0, MAX_EXPLAINED) };
}

interface LeftRow {
  id: number;
  why: CalloutError;
}

/** Returns why each row was skipped, judged by its current state. */
export async function explainLeft({ db }: ListDeps, left: LeftRows): Promise<LeftRow[]> {
  if (left.ids.length === 0) return [];
  const rows = await db.rows(left.of === 'contact' ? contactsLeft(left) : attemptsLeft(left));
  const isBusy = new Map(rows.map(row => [row.id, row.isBusy]));
  const what = left.of === 'contact' ? '联系人' : '通话记录';
  return left.ids.map(id => ({ id, why: whyLeft(isBusy.get(id), what) }));
}

function whyLeft(isBusy: boolean | undefined, what: string): CalloutError {
  if (isBusy === undefined) return notFound(what);
  return isBusy ? conflict('PERSON_IN_CALL', '正在通话中') : conflict('UNCHANGED', `${what}已是该状态`);
}

const contactsLeft = ({ ids: left, campaignId }: LeftRows) => sql<{ id: number; isBusy: boolean }>`
  select k.id, ${BUSY_CONTACT} as is_busy from contact k
  where k.id = any(${ids(left)}) and k.campaign_id = ${campaignId} and k.deleted_at is null`;

const attemptsLeft = ({ ids: left }: LeftRows) => sql<{ id: number; isBusy: boolean }>`
  select a.id, (${OPEN}) as is_busy from attempt a where a.id = any(${ids(left)}) and a.deleted_at is null`;
