import { sql } from 'kysely';
import type { Database } from '#adapters/postgres/database.ts';
import type { RestCaller } from './rest-caller.ts';

/** What is dialled, and what must hold. */
export interface Load {
  campaigns: LoadedCampaign[];
  /** Most channels at once by caller number: each line has one. */
  lineLimits: Record<string, number>;
  cellLimits: Record<string, number>;
}

export interface LoadedCampaign {
  id: number;
  maxConcurrency: number;
  /** The one that people edit while it is dialled: blocked, paused, crossed out. */
  isEdited: boolean;
  /** Numbers begin with this. */
  prefix: string;
}

export const CELL_MAX = 90;
const LINE_MAX = 100;
const CAMPAIGN_MAX = 50;
const CAMPAIGNS = 5;
const RETRY_SECONDS = 2;

/** Lines, campaigns and contacts; the campaigns run when this resolves. Every limit is near enough to bind. */
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
    // One campaign knows one cell only, the others use both.
    ...(index === 0 ? { cellId: 'cell-1' } : {}),
  });
  return Number(data.campaign.id);
}

/** `<prefix><4 digits of group><4 digits>`: the third digit group turns with each contact, so that a prefix rule hits a quarter of them. */
async function insertContacts(database: Database, { id, prefix }: LoadedCampaign, count: number): Promise<void> {
  await database.run(sql`
    insert into contact (campaign_id, phone_number, dial_key)
    select ${id}::int, number, '+86' || number
    from (select ${prefix}::text || (i % ${PREFIX_GROUPS}::int)::text || lpad(i::text, 7, '0') as number, i
          from generate_series(1, ${count}::int) as i order by i) as made`);
}

/** Groups of numbers that one prefix rule can block. */
export const PREFIX_GROUPS = 4;
