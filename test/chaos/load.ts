import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import type { RestCaller } from './rest-caller.ts';

/** The campaigns to be dialled and the limits that must hold. */
export interface Load {
  campaigns: LoadedCampaign[];
  /** Highest allowed number of simultaneous channels by caller number; each line has one. */
  lineLimits: Record<string, number>;
  cellLimits: Record<string, number>;
}

export interface LoadedCampaign {
  id: number;
  maxConcurrency: number;
  /** Whether the campaign is edited while it runs: numbers are listed or blocked, and it is paused. */
  isEdited: boolean;
  /** Prefix of its phone numbers. */
  prefix: string;
}

export const CELL_MAX = 90;
const LINE_MAX = 100;
const CAMPAIGN_MAX = 50;
const CAMPAIGNS = 5;
const RETRY_SECONDS = 2;

/** Creates lines, campaigns and contacts, and starts the campaigns. Every limit is low enough to be reached. */
export async function startLoad(rest: RestCaller, database: Database, contactsPerCampaign: number): Promise<Load> {
  const lines = await Promise.all(['02160000001', '02160000002'].map(number => createLine(rest, number)));
  const campaigns: LoadedCampaign[] = [];
  for (let index = 0; index < CAMPAIGNS; index++) {
    const lineId = lines[index % lines.length]?.id ?? 0;
    const id = await createCampaign(rest, { index, lineId });
    const campaign = { id, maxConcurrency: CAMPAIGN_MAX, isEdited: index === CAMPAIGNS - 1, prefix: `13${index + 1}` };
    await insertContacts(database, campaign, contactsPerCampaign);
    campaigns.push(campaign);
  }
  for (const { id } of campaigns) await rest.call('PATCH', `/api/campaigns/${id}`, { status: 'running' });
  return {
    campaigns,
    lineLimits: Object.fromEntries(lines.map(line => [line.number, LINE_MAX])),
    cellLimits: { 'cell-1': CELL_MAX, 'cell-2': CELL_MAX },
  };
}

async function createLine(rest: RestCaller, number: string): Promise<{ id: number; number: string }> {
  const { data } = await rest.call('POST', '/api/lines', {
    name: `线路 ${number}`,
    code: `chaos-${number}`,
    dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
    maxConcurrency: LINE_MAX,
    allocationMode: 'single_shared',
    callerIdNumber: number,
  });
  return { id: Number(data.line.id), number };
}

async function createCampaign(rest: RestCaller, { index, lineId }: { index: number; lineId: number }): Promise<number> {
  const { data } = await rest.call('POST', '/api/campaigns', {
    name: `活动 ${index + 1}`,
    businessCode: 'chaos',
    lineIds: [lineId],
    maxConcurrency: CAMPAIGN_MAX,
    maxRetries: 1,
    retryIntervalSeconds: RETRY_SECONDS,
    // The first campaign uses only one cell, the others both.
    ...(index === 0 ? { cellId: 'cell-1' } : {}),
  });
  return Number(data.campaign.id);
}

/**
 * Inserts numbers of the form `<prefix><group><7 digits>`. The group changes with each contact, so a prefix rule blocks a quarter of them.
 */
async function insertContacts(database: Database, { id, prefix }: LoadedCampaign, count: number): Promise<void> {
  await database.run(sql`
    insert into contact (campaign_id, phone_number, dial_key)
    select ${id}::int, number, '+86' || number
    from (select ${prefix}::text || (i % ${PREFIX_GROUPS}::int)::text || lpad(i::text, 7, '0') as number, i
          from generate_series(1, ${count}::int) as i order by i) as made`);
}

/** Number of groups, each of which one prefix rule can block. */
export const PREFIX_GROUPS = 4;
