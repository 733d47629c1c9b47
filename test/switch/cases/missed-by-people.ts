import { sleep, systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { customerNumber, type PhoneLeg } from '../people.ts';
import type { Report } from '../report.ts';
import type { SwitchRig } from '../switch-rig.ts';
import { freeAgent, hangUpAll } from './campaign.ts';
import { untilHeard } from './hearing.ts';
import { whileBlind, seesAgain } from './missed-answers.ts';
import { liveCall, openSession, routeTransfer } from './people-acts.ts';

const AREA = 'missed answers';
/** I9, plus the duration of a recording, in ms. */
const LIMIT_MS = 8_000;
/** The remaining party may hear a goodbye of at most 15 s first. In ms. */
const LET_GO_LIMIT_MS = 20_000;
/** Longer than the product needs to detect a lost connection, in ms. */
const BLIND_MS = 1_500;

/** Missed answers in calls with agents: an agent's, a customer's, a browser's. */
export async function checkMissedByPeople(rig: SwitchRig, report: Report): Promise<void> {
  const after = async () => {
    rig.wire.heal();
    await seesAgain(rig);
    await hangUpAll(rig);
  };
  const check = (name: string, work: () => Promise<string>) => report.check(AREA, name, work, { after });
  await check('manual call: the agent answers while the wire is cut', () => manualAgentMissed(rig));
  await check('manual call: the customer answers while the wire is cut', () => manualCustomerMissed(rig));
  await check('transfer: the agent answers while the wire is cut', () => transferMissed(rig));
  await check('transfer: the customer hangs up while the wire is cut', () => transferEndMissed(rig));
  await check('browser phone: it comes in while the wire is cut', () => browserMissed(rig));
  await check('browser phone: the customer answers while the wire is cut', () => browserCustomerMissed(rig));
}

const BOTH = { agent: ['customer'], customer: ['agent'] };

async function heardBoth(rig: SwitchRig, agent: PhoneLeg, customer: PhoneLeg): Promise<string> {
  const ms = await untilHeard(rig, { agent, customer }, BOTH, LIMIT_MS);
  return `both hear each other ${Math.round(ms)} ms after the wire was whole`;
}

async function manualAgentMissed(rig: SwitchRig): Promise<string> {
  const agentId = await freeAgent(rig, '1001');
  const phoneNumber = customerNumber({ tone: 1_500, ringSeconds: 1 });
  await rig.rest('POST', `/api/agents/${agentId}/manual-calls`, { phoneNumber });
  await rig.people.ringing('1001');
  const agent = { leg: null as PhoneLeg | null };
  await whileBlind(rig, async () => {
    agent.leg = await rig.people.answer('1001');
    await sleep(systemClock, BLIND_MS);
  });
  const customer = await rig.people.ringing(phoneNumber);
  await waitUntil('the customer to answer', () => customer.answeredAt);
  return heardBoth(rig, required(agent.leg), customer);
}

async function manualCustomerMissed(rig: SwitchRig): Promise<string> {
  const agentId = await freeAgent(rig, '1002');
  const phoneNumber = customerNumber({ tone: 1_520, ringSeconds: 3 });
  await rig.rest('POST', `/api/agents/${agentId}/manual-calls`, { phoneNumber });
  const agent = await rig.people.answer('1002');
  const customer = await rig.people.ringing(phoneNumber);
  await whileBlind(rig, () => answeredAndABit(customer));
  return heardBoth(rig, agent, customer);
}

async function transferMissed(rig: SwitchRig): Promise<string> {
  const call = await liveCall(rig, 1_540);
  await freeAgent(rig, '1003');
  await routeTransfer(rig, call, '1003');
  await rig.people.ringing('1003');
  const agent = { leg: null as PhoneLeg | null };
  await whileBlind(rig, async () => {
    agent.leg = await rig.people.answer('1003');
    await sleep(systemClock, BLIND_MS);
  });
  return heardBoth(rig, required(agent.leg), call.customer);
}

/** Releases the party who is left in the room. */
async function transferEndMissed(rig: SwitchRig): Promise<string> {
  const call = await liveCall(rig, 1_545);
  await freeAgent(rig, '1002');
  await routeTransfer(rig, call, '1002');
  const agent = await rig.people.answer('1002');
  await untilHeard(rig, { agent, customer: call.customer }, BOTH, LIMIT_MS);
  const healedAt = await whileBlind(rig, async () => {
    await rig.people.hangUp(call.customer);
    await sleep(systemClock, BLIND_MS);
  });
  await waitUntil('the agent to be let go', () => agent.endedAt, LET_GO_LIMIT_MS);
  return `the agent is let go ${Math.max(0, (agent.endedAt ?? 0) - healedAt)} ms after the wire was whole`;
}

async function browserMissed(rig: SwitchRig): Promise<string> {
  const phoneNumber = customerNumber({ tone: 1_560, ringSeconds: 1 });
  const session = await openSession(rig, '1004', phoneNumber);
  const agent = { leg: null as PhoneLeg | null };
  await whileBlind(rig, async () => {
    agent.leg = await rig.people.call('1004', session.serviceNumber, session.sipExtraHeaders);
    await sleep(systemClock, BLIND_MS);
  });
  const customer = await rig.people.ringing(phoneNumber);
  await waitUntil('the customer to answer', () => customer.answeredAt);
  return heardBoth(rig, required(agent.leg), customer);
}

async function browserCustomerMissed(rig: SwitchRig): Promise<string> {
  const phoneNumber = customerNumber({ tone: 1_580, ringSeconds: 3 });
  const session = await openSession(rig, '1001', phoneNumber);
  const agent = await rig.people.call('1001', session.serviceNumber, session.sipExtraHeaders);
  const customer = await rig.people.ringing(phoneNumber);
  await whileBlind(rig, () => answeredAndABit(customer));
  return heardBoth(rig, agent, customer);
}

async function answeredAndABit(leg: PhoneLeg): Promise<void> {
  await waitUntil('the customer to answer', () => leg.answeredAt);
  await sleep(systemClock, BLIND_MS);
}

function required(leg: PhoneLeg | null): PhoneLeg {
  if (!leg) throw new Error('the agent has not answered');
  return leg;
}
