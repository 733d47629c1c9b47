import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { customerNumber, type PhoneLeg } from '../people.ts';
import { expectAtMost, expectEqual, type Report } from '../report.ts';
import type { SwitchRig } from '../switch-rig.ts';
import { freeAgent, hangUpAll } from './campaign.ts';
import { untilHeard } from './hearing.ts';
import { openSession, type Session } from './people-acts.ts';

const HEARD_LIMIT_MS = 6_000;
/** Longest time from one party's hang-up until the other is released, in ms. */
const GONE_LIMIT_MS = 1_500;
const TOLD_LIMIT_MS = 6_000;
const BOTH = { agent: ['customer'], customer: ['agent'] };

/** Calls that agents place: from the desk, back to a customer, from a browser. */
export async function checkPeopleCalls(rig: SwitchRig, report: Report): Promise<void> {
  await report.check('manual call', 'both hear each other, the customer hangs up', () =>
    placed(rig, { path: 'manual-calls', extension: '1001', tone: 1_700, first: 'customer' }),
  );
  await report.check('callback', 'both hear each other, the agent hangs up', () =>
    placed(rig, { path: 'callbacks', extension: '1002', tone: 1_710, first: 'agent' }),
  );
  await report.check('manual call', 'the agent does not take it', () => refusedByAgent(rig));
  await report.check('manual call', 'the customer is busy', () => busyCustomer(rig));
  await report.check('browser phone', 'joins its room, is heard, holds, resumes, ends', () => browser(rig));
  await hangUpAll(rig);
}

interface Placed {
  path: 'manual-calls' | 'callbacks';
  extension: string;
  tone: number;
  /** The party that hangs up. */
  first: 'agent' | 'customer';
}

async function placed(rig: SwitchRig, { path, extension, tone, first }: Placed): Promise<string> {
  const agentId = await freeAgent(rig, extension);
  const phoneNumber = customerNumber({ tone, ringSeconds: 1 });
  const { softphoneCallId } = await rig.rest('POST', `/api/agents/${agentId}/${path}`, { phoneNumber });
  const agent = await rig.people.answer(extension);
  const customer = await rig.people.ringing(phoneNumber);
  await waitUntil('the customer to answer', () => customer.answeredAt);
  const ms = await untilHeard(rig, { agent, customer }, BOTH, HEARD_LIMIT_MS);
  const [goes, stays] = first === 'agent' ? [agent, customer] : [customer, agent];
  await rig.people.hangUp(goes);
  const gone = await goneAfter(goes, stays);
  const call = await ended(rig, softphoneCallId);
  expectEqual('status/hangupBy', `${call.status}/${call.hangupBy}`, `completed/${first}`);
  return `heard after ${Math.round(ms)} ms, the other end let go after ${gone} ms`;
}

async function goneAfter(first: PhoneLeg, second: PhoneLeg): Promise<number> {
  const endedAt = await waitUntil('the other end to be let go', () => second.endedAt, TOLD_LIMIT_MS);
  const ms = Math.max(0, Math.round(endedAt - (first.endedAt ?? endedAt)));
  expectAtMost('ms until the other end was let go', ms, GONE_LIMIT_MS);
  return ms;
}

interface CallRow {
  softphoneCallId: number;
  status: string;
  hangupBy: string | null;
  hangupCause: string | null;
}

function ended({ rest }: SwitchRig, softphoneCallId: number): Promise<CallRow> {
  return waitUntil(
    'the call to be told as ended',
    async () => {
      const { rows }: { rows: CallRow[] } = await rest('GET', '/api/softphone-calls?pageSize=50');
      const call = rows.find(each => each.softphoneCallId === softphoneCallId);
      return call && (call.status === 'completed' || call.status === 'failed') ? call : null;
    },
    TOLD_LIMIT_MS,
  );
}

async function refusedByAgent(rig: SwitchRig): Promise<string> {
  const agentId = await freeAgent(rig, '1003');
  const body = { phoneNumber: customerNumber({ tone: 1_720 }) };
  const { softphoneCallId } = await rig.rest('POST', `/api/agents/${agentId}/manual-calls`, body);
  await rig.people.hangUp(await rig.people.ringing('1003'), 'USER_BUSY');
  const { status, hangupCause } = await ended(rig, softphoneCallId);
  expectEqual('status', status, 'failed');
  await freeAgent(rig, '1003');
  return `failed, ${hangupCause}`;
}

async function busyCustomer(rig: SwitchRig): Promise<string> {
  const agentId = await freeAgent(rig, '1004');
  const body = { phoneNumber: customerNumber({ tone: 1_730, ringSeconds: 1, does: 486 }) };
  const { softphoneCallId } = await rig.rest('POST', `/api/agents/${agentId}/manual-calls`, body);
  const agent = await rig.people.answer('1004');
  const { status, hangupCause } = await ended(rig, softphoneCallId);
  expectEqual('status/hangupCause', `${status}/${hangupCause}`, 'failed/USER_BUSY');
  await waitUntil('the agent to be let go', () => agent.endedAt, TOLD_LIMIT_MS);
  return 'failed, USER_BUSY, the agent is let go';
}

async function browser(rig: SwitchRig): Promise<string> {
  const phoneNumber = customerNumber({ tone: 1_740, ringSeconds: 1 });
  const session = await openSession(rig, '1001', phoneNumber);
  const agent = await rig.people.call('1001', session.serviceNumber, session.sipExtraHeaders);
  const customer = await rig.people.ringing(phoneNumber);
  await waitUntil('the customer to answer', () => customer.answeredAt);
  const ms = await untilHeard(rig, { agent, customer }, BOTH, HEARD_LIMIT_MS);
  const order = (type: string) => rig.rest('POST', `/api/softphone-sessions/${session.sessionId}/controls`, { type });
  await order('hold');
  await untilHeard(rig, { agent, customer }, { agent: [], customer: [] }, HEARD_LIMIT_MS);
  await order('resume');
  await untilHeard(rig, { agent, customer }, BOTH, HEARD_LIMIT_MS);
  return `heard after ${Math.round(ms)} ms, held, resumed; ${await endSession(rig, session, { agent, customer })}`;
}

async function endSession(rig: SwitchRig, { sessionId }: Session, { agent, customer }: { agent: PhoneLeg; customer: PhoneLeg }) {
  const orderedAt = systemClock.now();
  const { recordingUrl } = await rig.rest('POST', `/api/softphone-sessions/${sessionId}/end`);
  for (const leg of [agent, customer]) {
    const endedAt = await waitUntil(`${leg.to} to be let go`, () => leg.endedAt, TOLD_LIMIT_MS);
    expectAtMost(`ms until ${leg.to} was let go`, endedAt - orderedAt, GONE_LIMIT_MS);
  }
  expectEqual('recording told', recordingUrl !== null, true);
  await waitUntil('the recording to be there', () => existsSync(join(rig.recordingFolder, recordingUrl)), TOLD_LIMIT_MS);
  return 'ended, recording there';
}
