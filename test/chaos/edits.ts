import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { randomInt, type Random } from '#kernel/random.ts';
import { type LoadedCampaign, PREFIX_GROUPS } from './load.ts';
import type { RestCaller } from './rest-caller.ts';

/** An edit that forbids dials for a time. Times in UTC ms. */
export interface Edit {
  kind: 'do_not_call' | 'policy' | 'pause';
  campaignId: number;
  /** Prefix of the forbidden numbers. */
  numbers: string;
  answeredAt: number;
  /** End of the prohibition; null when it is permanent. */
  liftedAt: number | null;
}

export const EDIT_KINDS = 3;

export interface EditDeps {
  rest: RestCaller;
  database: Database;
  campaign: LoadedCampaign;
  random: Random;
}

export interface Editing {
  edits: Edit[];
  /** Number of edits without a response or refused because a dependency was unavailable; they need not have any effect. */
  refused: number;
}

const PAUSE_BETWEEN_MS = 300;
/** How long a policy or a pause stays in place; longer than the time allowed for it to take effect, ms. */
const STANDS_MS = 2_500;
/** Numbers put on the do-not-call list at once, chosen from those to be dialled next. */
const CROSSED_OUT = 8;
const NEXT_CONTACTS = 60;

/** Makes edits that must take effect at once, one kind after another, until the signal aborts; adds each confirmed edit to `done`. */
export async function keepEditing(deps: EditDeps, done: Editing, signal: AbortSignal): Promise<void> {
  const turns = [crossOut, blockPrefix, pause];
  for (let turn = 0; !signal.aborted; turn++) {
    try {
      await turns[turn % turns.length]?.(deps, done, signal);
    } catch {
      // The edit was not confirmed, so it need not have any effect.
      done.refused += 1;
    }
    await sleep(systemClock, PAUSE_BETWEEN_MS, signal);
  }
}

async function crossOut({ rest, database, campaign, random }: EditDeps, done: Editing): Promise<void> {
  const next = await database.rows(sql<{ number: string }>`
    select phone_number as number from contact where campaign_id = ${campaign.id} and status = 'pending' and hold_reason is null and deleted_at is null
    order by priority desc, id limit ${NEXT_CONTACTS}`);
  const start = randomInt(random, 0, Math.max(0, next.length - CROSSED_OUT));
  const chosen = next.slice(start, start + CROSSED_OUT);
  await Promise.all(
    chosen.map(async ({ number }) => {
      const { answeredAt } = await rest.once('POST', '/api/dnc', { phoneNumber: number, reason: 'chaos' });
      done.edits.push({ kind: 'do_not_call', campaignId: campaign.id, numbers: number, answeredAt, liftedAt: null });
    }),
  );
}

async function blockPrefix({ rest, campaign, random }: EditDeps, done: Editing, signal: AbortSignal): Promise<void> {
  const numbers = `${campaign.prefix}${randomInt(random, 0, PREFIX_GROUPS - 1)}`;
  const body = {
    name: '号段',
    scope: 'campaign',
    campaignId: campaign.id,
    type: 'phone_prefix_blocklist',
    action: 'block',
    config: { prefixes: [numbers] },
  };
  try {
    const { answeredAt } = await rest.once('POST', '/api/policies', body);
    const edit: Edit = { kind: 'policy', campaignId: campaign.id, numbers, answeredAt, liftedAt: null };
    done.edits.push(edit);
    await sleep(systemClock, STANDS_MS, signal);
    edit.liftedAt = systemClock.now();
  } finally {
    await removePolicies(rest, campaign.id);
  }
}

/** Removes all policies of the campaign, including one whose creation was not confirmed. */
async function removePolicies(rest: RestCaller, campaignId: number): Promise<void> {
  const { data } = await rest.call('GET', `/api/policies?campaignId=${campaignId}`);
  for (const { id, scope } of data.rows as { id: number; scope: string }[]) {
    if (scope === 'campaign') await rest.call('DELETE', `/api/policies/${id}`);
  }
}

async function pause({ rest, campaign }: EditDeps, done: Editing, signal: AbortSignal): Promise<void> {
  const path = `/api/campaigns/${campaign.id}`;
  try {
    const { answeredAt } = await rest.once('PATCH', path, { status: 'paused' });
    const edit: Edit = { kind: 'pause', campaignId: campaign.id, numbers: campaign.prefix, answeredAt, liftedAt: null };
    done.edits.push(edit);
    await sleep(systemClock, STANDS_MS, signal);
    edit.liftedAt = systemClock.now();
  } finally {
    await rest.call('PATCH', path, { status: 'running' });
  }
}
