import { sql } from 'kysely';
import type { Database } from '#adapters/postgres/database.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { randomInt, type Random } from '#kernel/random.ts';
import { type LoadedCampaign, PREFIX_GROUPS } from './load.ts';
import type { RestCaller } from './rest-caller.ts';

/** An edit that forbids dials, and until when. Instants UTC ms. */
export interface Edit {
  kind: 'do_not_call' | 'policy' | 'pause';
  campaignId: number;
  /** Numbers that begin with this must not be dialled. */
  numbers: string;
  answeredAt: number;
  /** Null: for ever. */
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
  /** Edits that got no answer or a refusal for want of a dependency: they promise nothing. */
  refused: number;
}

const PAUSE_BETWEEN_MS = 300;
/** How long a rule or a pause stands: longer than it may take to bind, ms. */
const STANDS_MS = 2_500;
/** Numbers crossed out at once, of those that are dialled next. */
const CROSSED_OUT = 8;
const NEXT_CONTACTS = 60;

/** Edits that must bind at once, in turn, until the signal aborts; each that was answered is added to `done`. */
export async function keepEditing(deps: EditDeps, done: Editing, signal: AbortSignal): Promise<void> {
  const turns = [crossOut, blockPrefix, pause];
  for (let turn = 0; !signal.aborted; turn++) {
    try {
      await turns[turn % turns.length]?.(deps, done, signal);
    } catch {
      // Nobody was told that this edit stands.
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

/** Also of an edit whose answer was lost. */
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
