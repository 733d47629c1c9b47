import type { DialsPart } from '#dialling/dial-store.ts';
import { explainContact } from '#dialling/explain.ts';
import type { Place } from '#dialling/decisions/assess.ts';
import { notFound } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { type Dial, dialState } from './dial.ts';
import { attemptsOfContact, type DialName, findDialRow } from './dial-rows.ts';

/**
 * Reads what has become of a dial: its state, its attempts, and why it is not made now.
 *
 * Errors: NOT_FOUND
 * Source: D7.15
 */
export async function findDial(app: DialsPart & Place & Pick<Platform, 'db'>, campaignId: number, name: DialName): Promise<Dial> {
  const row = await findDialRow(app.db, campaignId, name);
  if (row === null) throw notFound('呼叫');
  const [attempts, notDialed] = await Promise.all([attemptsOfContact(app.db, row.contactId), explainContact(app, row.contactId)]);
  const { status, retryAt, holdReason, ...dial } = row;
  return { ...dial, state: dialState({ status, retryAt, holdReason }), attempts, notDialed };
}
