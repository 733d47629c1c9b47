import { audit, type AuditPart } from '#audit/audit.ts';
import { requireNotArchived } from '#campaigns/actions.ts';
import type { Campaign } from '#campaigns/campaign.ts';
import { lockCampaign, noteZones } from '#contacts/contact-store.ts';
import { parseContact } from '#contacts/contact.ts';
import type { Caller } from '#kernel/caller.ts';
import { type InputFault, invalidInput, notFound } from '#kernel/errors.ts';
import { toInstantOrNull } from '#kernel/fields.ts';
import { problem, wordsOf } from '#kernel/problem.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import type { z } from 'zod';
import { type DialRefusal, judgeDials, type RequestedDial } from './decisions/judge-dials.ts';
import type { DialAnswer, newDial, PlacedDials } from './dial.ts';
import { insertDials, isDrained, readKnown, takeTurn } from './dial-rows.ts';

export type PlaceApp = AuditPart & DiallingPlace & { timeZone: string } & Pick<Platform, 'db' | 'wake' | 'clock'>;

/**
 * Readiness of a campaign for new dials. `running`: it makes them; `drained`: it completed because nobody was left to call, and may run again
 * for them; `stopped`: they wait until a user starts it.
 */
type Standing = 'running' | 'drained' | 'stopped';

/**
 * Adds dials that another system asks for to a campaign; a running one takes them at once.
 *
 * Why:    what is wrong in form refuses the request, of which nothing is written; what the moment forbids (a number that waits already, an
 *         instant that has passed) refuses the one dial, because the others are as urgent as before
 * Errors: INVALID_ARGUMENT; NOT_FOUND; CAMPAIGN_ARCHIVED
 * Source: D7.15
 */
export async function placeDials(
  app: PlaceApp,
  caller: Caller,
  campaignId: number,
  given: readonly z.output<typeof newDial>[],
): Promise<Omit<PlacedDials, 'waitsForStart'> & { standing: Standing }> {
  const dials = given.map(dial => readDial(app, dial));
  requireOrder(dials);
  const { answers, standing } = await app.db.transaction(tx => writeDials(tx, app, campaignId, dials));
  const accepted = answers.filter(({ status }) => status === 'accepted').length;
  const refused = answers.length - accepted;
  if (accepted > 0) {
    await audit(app, caller, {
      action: 'dial.requested',
      targetType: 'campaign',
      targetId: campaignId,
      summary: `请求呼叫 ${accepted} 个，拒绝 ${refused} 个`,
      detail: { accepted, refused },
    });
    app.wake.campaign(campaignId);
  }
  return { accepted, refused, standing, dials: answers };
}

function readDial({ region, timeZone }: PlaceApp, { notBefore, notAfter, priority, ...contact }: z.output<typeof newDial>): RequestedDial {
  const bounds = { notBefore: toInstantOrNull(notBefore, timeZone), notAfter: toInstantOrNull(notAfter, timeZone) };
  return { ...parseContact(contact, region), ...bounds, urgency: priority };
}

/** A dial whose bounds leave no instant is wrong at any moment. */
function requireOrder(dials: readonly RequestedDial[]): void {
  const [first, ...others] = dials.flatMap(({ notBefore, notAfter }, index): InputFault[] => {
    const isInOrder = notBefore === null || notAfter === null || notAfter > notBefore;
    return isInOrder ? [] : [{ field: `dials[${index}].notAfter`, problem: problem('laterThan', { other: 'notBefore' }) }];
  });
  if (first) throw invalidInput([first, ...others]);
}

interface Written {
  answers: DialAnswer[];
  standing: Standing;
}

async function writeDials(tx: Sql, app: PlaceApp, campaignId: number, dials: readonly RequestedDial[]): Promise<Written> {
  await takeTurn(tx, campaignId);
  const campaign = await lockCampaign(tx, campaignId, false);
  if (campaign === null) throw notFound('活动');
  requireNotArchived(campaign);
  const standing = await standingOf(tx, campaign);
  const known = await readKnown(tx, campaignId, dials);
  const refusals = judgeDials(dials, { now: app.clock.now(), place: app, known });
  const accepted = dials.filter((_dial, index) => refusals[index] === null);
  await noteZones(
    tx,
    campaignId,
    accepted.map(({ zones }) => zones),
  );
  const inserted = accepted.length === 0 ? new Map<string, number>() : await insertDials(tx, campaignId, accepted);
  const answers = dials.map((dial, index) => answerOf(index, refusals[index] ?? null, inserted.get(dial.dialKey) ?? null));
  return { answers, standing };
}

/** Looks before the dials are written: they are work themselves. */
async function standingOf(tx: Sql, { id, status }: Pick<Campaign, 'id' | 'status'>): Promise<Standing> {
  if (status === 'running') return status;
  return status === 'completed' && (await isDrained(tx, id)) ? 'drained' : 'stopped';
}

/** A contact that an import has added at the same time leaves no id. */
const OVERTAKEN: DialRefusal = { field: 'phoneNumber', problem: problem('waitsAlready'), contactId: null };

function answerOf(index: number, refusal: DialRefusal | null, contactId: number | null): DialAnswer {
  if (refusal === null && contactId !== null) return { index, status: 'accepted', contactId, field: null, reason: null, message: null };
  const { field, problem: found, contactId: other } = refusal ?? OVERTAKEN;
  return { index, status: 'refused', contactId: other, field, reason: found.code, message: `${field} ${wordsOf(found, 'zh')}` };
}
