import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { TestAgent } from '#test/support/agent-rig.ts';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { numbers } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { startRuntimeProcess } from '../integration/tools/runtime/process.ts';
import example from '../../examples/spring-visit.script.json' with { type: 'json' };

// Agents take over calls of the real runtime at every place of a script; only the script ends a call.

/** The script transfers some calls by itself: those need no claim, and take an agent each. */
const CALLS = 150;
const AT_ONCE = 12;
const PEOPLE = 18;
const CLAIMS = 42;
/** How many times faster than real time people talk. */
const SPEED = '6';
const RING_MS = 200;
/** Talk time of an agent with a customer, in ms. */
const TALK_MS = 1_500;
/** Time from the last word to the end of the channel, in ms. */
const HANG_UP_MS = 250;
const GOODBYES = new Set(example.nodes.filter(({ type }) => type === 'end').map(({ id }) => id));

interface Seen {
  callKey: string;
  status: string;
  currentNodeId: string | null;
  segments: { speaker: string }[];
  endedAt: string | null;
  intervention: { id: string; status: string; requestedAt: string | null; reason: string | null } | null;
}

interface Claim {
  id: string;
  place: number;
  when: string;
  status: string;
  reason: string | null;
  agentId: number;
  /** Time from the claim to the end of the call. */
  livedOnMs: number | null;
}

let rig: ConferenceRig;
let people: TestAgent[];
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  rig = await startConferenceRig({ businesses: [{ businessCode: 'spring-visit', businessName: '春季回访' }] }, { playsRuntime: false });
  stack.defer(() => rig.close());
  const runtime = await startRuntimeProcess(rig.server.nats.url, '--speed', SPEED, '--voicemail-rate', '0');
  stack.defer(() => runtime.stop());
  await rig.ask('POST', '/api/v1/scripts', example);
  people = await Promise.all(Array.from({ length: PEOPLE }, () => rig.agent({ ringMs: RING_MS, talkMs: TALK_MS, role: 'supervisor' })));
}, 120_000);

afterAll(() => stack.disposeAsync());

/** Some claims come at the beginning, some in the middle, some while the bot says goodbye. */
function isMoment({ segments, currentNodeId }: Seen, place: number): boolean {
  if (place === 0) return GOODBYES.has(currentNodeId ?? '');
  return segments.filter(({ speaker }) => speaker === 'bot').length >= place;
}

test('claims at every place of a script become active in at least 95 of 100 cases [D9.3]', async () => {
  const { id: campaignId } = await rig.campaign({
    businessCode: 'spring-visit',
    maxConcurrency: AT_ONCE,
    maxRetries: 0,
    contacts: numbers(CALLS),
  });
  const liveCalls = async () => (await rig.ask('GET', `/api/live-calls?campaignId=${campaignId}`)).data.calls as Seen[];
  const claims = new Map<string, Claim>();
  const places = new Map<string, number>();
  const refusals: Record<string, number> = {};
  let tries = 0;
  await rig.start(campaignId);
  await waitUntil(
    'every claim to come to something',
    async () => {
      const calls = await liveCalls();
      for (const call of calls) {
        const place = places.get(call.callKey) ?? places.size % 6;
        places.set(call.callKey, place);
        const claim = claims.get(call.callKey);
        if (claim && call.intervention) {
          claim.status = call.intervention.status;
          claim.reason = call.intervention.reason;
          claim.livedOnMs = call.endedAt === null ? null : Date.parse(call.endedAt) - Date.parse(call.intervention.requestedAt ?? '');
        }
        if (claim || call.status !== 'live' || !isMoment(call, place)) continue;
        if (claims.size === CLAIMS) continue;
        const person = people[tries++ % PEOPLE];
        // A supervisor may claim while their own phone is in use; then another agent's phone rings.
        if (!person || (await rig.stageOf(person.id)) !== 'idle') continue;
        const when = claims.size % 2 === 0 ? 'boundary' : 'now';
        const answer = await rig.server.api('POST', `/api/live-calls/${call.callKey}/intervene`, { when }, person.token);
        if (answer.status !== 200) refusals[answer.msg] = (refusals[answer.msg] ?? 0) + 1;
        else {
          expect(answer.data.intervention).toMatchObject({ status: 'requested', when, reason: null, agentId: person.id });
          const { id } = answer.data.intervention as { id: string };
          claims.set(call.callKey, { id, place, when, status: 'requested', reason: null, agentId: person.id, livedOnMs: null });
        }
      }
      const isOver = ({ status }: Claim) => !['requested', 'transferring'].includes(status);
      const open = [...claims.values()].filter(claim => !isOver(claim));
      if (claims.size < CLAIMS || open.length > 0)
        throw new Error(`${claims.size} claims of ${places.size} calls, ${open.length} open, ${JSON.stringify(refusals)}`);
      return true;
    },
    240_000,
  );
  const wasActive = await activeOnes();
  // The bot had hung up when the claim came: no agent could have taken such a call.
  const late = [...claims.values()].filter(({ id, livedOnMs }) => !wasActive.has(id) && livedOnMs !== null && livedOnMs < HANG_UP_MS);
  const missed = [...claims.values()].filter(claim => !wasActive.has(claim.id) && !late.includes(claim));
  const counted = claims.size - late.length;
  const active = counted - missed.length;
  process.stdout.write(
    `take-over: ${counted} claims, ${active} active, ${late.length} while the bot hung up; missed ${JSON.stringify(missed)}\n`,
  );
  expect(counted).toBeGreaterThanOrEqual(40);
  expect({ isEnough: active / counted >= 0.95, missed }).toMatchObject({ isEnough: true });
  await expectOwnAgents([...claims.values()]);
}, 300_000);

/** Ids of interventions that led to a talk, however short. */
async function activeOnes(): Promise<Set<string>> {
  const rows = await rig.server.running.context.database.rows(
    sql<{ id: string }>`select detail->>'interventionId' as id from runtime_event where type = 'intervention.active'`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** The phone that rings first for a claim is the claimant's own: the agent was reserved for it. */
async function expectOwnAgents(claims: readonly Claim[]): Promise<void> {
  const rows = await rig.server.running.context.database.rows(sql<{ id: string; agentId: number }>`
    select intervention_id as id, tried_agent_ids[1] as "agentId" from conference_session
    where intervention_id is not null and cardinality(tried_agent_ids) > 0`);
  const first = new Map(rows.map(({ id, agentId }) => [id, agentId]));
  const others = claims.filter(({ id, agentId }) => first.has(id) && first.get(id) !== agentId);
  expect(first.size).toBeGreaterThan(0);
  expect(others).toEqual([]);
}
