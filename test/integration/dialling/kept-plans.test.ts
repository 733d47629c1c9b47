import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { dialStore } from '#dialling/dial-statements.ts';
import type { Database } from '#platform/postgres/database.ts';
import { addCampaign, claim, claimRequest, type Dialling, openDialling } from '#test/support/dialling.ts';
import { explaining, type PlannedStatement } from '#test/support/explaining.ts';

/** Few enough rows for the planner to prefer all contacts to look-ups whose checks it takes for dear, and more than it reads for cheap ones. */
const CONTACTS = 20_000;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

let dialling: Dialling;
let planned: readonly PlannedStatement[];

beforeAll(async () => {
  dialling = await openDialling();
  const campaigns = [await addCampaign(dialling.db), await addCampaign(dialling.db)];
  await loadRows(dialling.db, campaigns);
  planned = await statementsOfClaim(dialling, campaigns[0] ?? 0);
});

afterAll(() => dialling.close());

async function loadRows(db: Database, [one, other]: readonly number[]): Promise<void> {
  await db.run(sql`alter table contact disable trigger contact_search_insert`);
  await db.run(sql`
    insert into contact (campaign_id, phone_number, dial_key, priority)
    select case when g % 10 = 0 then ${other}::int else ${one}::int end, phone, phone, g % 3
    from generate_series(1, ${CONTACTS}::int) as g cross join lateral (select (13000000000 + g)::text as phone) as row`);
  await db.run(sql`analyze`);
}

async function statementsOfClaim(dialling: Dialling, campaignId: number): Promise<readonly PlannedStatement[]> {
  const { db: watched, planned: statements } = explaining(dialling.db);
  await claim({ ...dialling, dials: dialStore(watched) }, campaignId);
  return statements;
}

/** The plan that a connection keeps for all parameters, with the settings of statements that access every row by key. */
function keptPlan({ statement }: PlannedStatement): Promise<PlanNode[]> {
  const unknown = Array.from(new Set(statement.match(/\$\d+/g)), () => 'null').join(', ');
  return dialling.db.transaction(async tx => {
    await tx.run(sql`set local plan_cache_mode = force_generic_plan`);
    await tx.run(sql`set local enable_seqscan = off`);
    await tx.run(sql.raw(`prepare kept as ${statement}`));
    const [row] = await tx.rows(sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>`explain (format json) execute kept(${sql.raw(unknown)})`);
    await tx.run(sql`deallocate kept`);
    return (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => withParts(Plan));
  });
}

function withParts(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withParts)];
}

function theOne(part: string): PlannedStatement {
  const [found, ...others] = planned.filter(({ statement }) => statement.includes(part));
  if (!found || others.length > 0) throw new Error(`not one statement with ${part}`);
  return found;
}

test('the plan that a claim keeps for all campaigns reads the queue in its own indexes, without a sort [D5.5]', async () => {
  const nodes = await keptPlan(theOne('skip locked'));
  const reads = nodes.filter(node => node['Relation Name'] === 'contact').map(node => [node['Node Type'], node['Index Name']]);
  const queues = ['contact_callback', 'contact_urgent_due', 'contact_urgent', 'contact_due', 'contact_pending'];
  expect(reads).toEqual(queues.map(index => ['Index Scan', index]));
});

test('a claim looks up its contacts by key, however few there are [A9]', async () => {
  const nodes = await keptPlan(theOne('insert into attempt'));
  const reads = nodes.filter(node => node['Relation Name'] === 'contact' && node['Node Type'].endsWith('Scan'));
  expect(reads.map(node => [node['Index Name'], node['Index Cond'] !== undefined])).toEqual([1, 2, 3].map(() => ['contact_pkey', true]));
});

test('a connection plans the query for candidates once, not for each claim', async () => {
  const campaignId = await addCampaign(dialling.db);
  for (let claims = 0; claims < 3; claims += 1) await dialling.dials.claim(await claimRequest(dialling.db, campaignId));
  const plans = await dialling.db.rows(sql<{ custom: number; kept: number }>`
    select custom_plans::int as custom, generic_plans::int as kept from pg_prepared_statements where statement ~ '^\\s*with promised'`);
  expect(plans).toMatchObject([{ custom: 0 }]);
  expect(plans[0]?.kept).toBeGreaterThan(2);
});
