import { sleep, systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { customerNumber, type PhoneLeg } from '../people.ts';
import { expectAtMost, expectEqual, type Report } from '../report.ts';
import type { SwitchRig } from '../switch-rig.ts';
import { attemptsOf, hangUpAll, settled, startCampaign, stopCampaign } from './campaign.ts';

const AREA = 'missed answers';
/** I9: longest time from when the switch is reachable until the runtime is notified, in ms. */
const TOLD_LIMIT_MS = 5_000;
/** The product, the switch and this tool share the machine's clock. In ms. */
const ANSWER_SLACK_MS = 1_000;
const SILENCE_LIMIT_MS = 15_000;
/** Longer than a retry takes to be dialled, in ms. */
const REDIAL_WATCH_MS = 4_000;

/**
 * Cuts the connection between product and switch during `work`; data in transit are lost.
 *
 * Shape: when the connection was restored, UTC ms
 */
export async function whileBlind({ wire }: Pick<SwitchRig, 'wire'>, work: () => Promise<unknown>): Promise<number> {
  wire.cut();
  wire.reset();
  try {
    await work();
  } finally {
    // Connections that were opened meanwhile have waited too long to be trusted.
    wire.reset();
    wire.heal();
  }
  return systemClock.now();
}

/** Waits until the product is connected to its switch again: a call detail record may settle a call before that. */
export function seesAgain({ rest }: Pick<SwitchRig, 'rest'>): Promise<boolean> {
  return waitUntil('the product to have its switch again', async () => {
    const { switch: cells }: { switch: { ok: boolean }[] } = await rest('GET', '/health');
    return cells.every(cell => cell.ok);
  });
}

/** Answers, ends and refusals of campaign calls whose events were missed. */
export async function checkMissedAnswers(rig: SwitchRig, report: Report): Promise<void> {
  const after = async () => {
    rig.wire.heal();
    await seesAgain(rig);
    await hangUpAll(rig);
  };
  const check = (name: string, work: () => Promise<string>) => report.check(AREA, name, work, { after });
  await check('campaign: 6 answer while the wire is cut', () => answeredWhileBlind(rig));
  await check('campaign: 3 continue ringing and answer afterwards', () => answeredAfterwards(rig));
  await check('campaign: 3 answered calls end while the wire is cut', () => endedWhileBlind(rig));
  await check('campaign: 3 answer and end while the wire is cut', () => answeredAndEndedWhileBlind(rig));
  await check('campaign: 3 are busy while the wire is cut', () => refusedWhileBlind(rig));
}

const numbers = (first: number, count: number, who: { ringSeconds?: number; talkSeconds?: number; does?: number }) =>
  Array.from({ length: count }, (_, index) => customerNumber({ ...who, tone: first + index * 10 }));

async function answeredWhileBlind(rig: SwitchRig): Promise<string> {
  const called = numbers(1_100, 6, { ringSeconds: 4 });
  const campaignId = await startCampaign(rig, called);
  const legs = await allRinging(rig, campaignId, called);
  const healedAt = await whileBlind(rig, async () => {
    await waitUntil('all to answer', () => legs.every(leg => leg.answeredAt !== null));
    await sleep(systemClock, ANSWER_SLACK_MS);
  });
  return tellsTold(rig, campaignId, { legs, healedAt });
}

async function answeredAfterwards(rig: SwitchRig): Promise<string> {
  const called = numbers(1_200, 3, { ringSeconds: 5 });
  const campaignId = await startCampaign(rig, called);
  const legs = await allRinging(rig, campaignId, called);
  await whileBlind(rig, () => sleep(systemClock, 1_000));
  await waitUntil('all to answer', () => legs.every(leg => leg.answeredAt !== null));
  return tellsTold(rig, campaignId, { legs, healedAt: systemClock.now() });
}

/** The runtime cannot report: only the product knows that a customer was there. */
async function endedWhileBlind(rig: SwitchRig): Promise<string> {
  const called = numbers(1_300, 3, {});
  for (const number of called) rig.runtime.silentFor.add(number);
  const campaignId = await startCampaign(rig, called, { maxRetries: 2, retryIntervalSeconds: 1 });
  await waitUntil('the runtime to have all', async () => {
    const attempts = await attemptsOf(rig, campaignId);
    return attempts.length === called.length && attempts.every(({ requestId }) => rig.runtime.toldAt.has(requestId));
  });
  const legs = await Promise.all(called.map(number => rig.people.ringing(number)));
  await whileBlind(rig, async () => {
    for (const leg of legs) await rig.people.hangUp(leg);
    await sleep(systemClock, 2_000);
  });
  const attempts = await settled(rig, campaignId, called.length);
  expectEqual('statuses', [...new Set(attempts.map(({ status }) => status))], ['completed']);
  await sleep(systemClock, REDIAL_WATCH_MS);
  expectEqual('dials', (await attemptsOf(rig, campaignId)).length, called.length);
  return 'completed, none dialled again';
}

/** No event reports them, and the switch no longer knows them, but its records do (D7.8). */
async function answeredAndEndedWhileBlind(rig: SwitchRig): Promise<string> {
  const called = numbers(1_500, 3, { ringSeconds: 3, talkSeconds: 2 });
  const campaignId = await startCampaign(rig, called);
  const legs = await allRinging(rig, campaignId, called);
  const healedAt = await whileBlind(rig, () => waitUntil('all to answer and end', () => legs.every(leg => leg.endedAt !== null)));
  const attempts = await settled(rig, campaignId, called.length);
  const settledAt = systemClock.now();
  // Calls without a runtime: the record says that they were answered, and when.
  const outcomes = attempts.map(({ status, hangupCause }) => `${status} ${hangupCause}`);
  expectEqual('outcomes', [...new Set(outcomes)], ['failed RUNTIME_UNAVAILABLE']);
  const errors = attempts.map(({ phoneNumber, answeredAt }) => {
    const leg = legs.find(({ to }) => to === phoneNumber);
    return Math.abs(Date.parse(answeredAt ?? '') - (leg?.answeredAt ?? 0));
  });
  expectAtMost('ms of error in the answer time', Math.max(...errors), ANSWER_SLACK_MS);
  await sleep(systemClock, REDIAL_WATCH_MS);
  expectEqual('dials', (await attemptsOf(rig, campaignId)).length, called.length);
  return `settled ${Math.max(0, settledAt - healedAt)} ms after the wire was whole, each once`;
}

async function refusedWhileBlind(rig: SwitchRig): Promise<string> {
  const called = numbers(1_400, 3, { ringSeconds: 3, does: 486 });
  const campaignId = await startCampaign(rig, called);
  const legs = await allRinging(rig, campaignId, called);
  const healedAt = await whileBlind(rig, () => waitUntil('all to be busy', () => legs.every(leg => leg.endedAt !== null)));
  const attempts = await settled(rig, campaignId, called.length);
  const answered = attempts.filter(({ answeredAt }) => answeredAt !== null);
  expectEqual('answered', answered.length, 0);
  return `${[...new Set(attempts.map(({ status }) => status))].join()} after ${systemClock.now() - healedAt} ms`;
}

/** Waits until every call rings at its phone, and the product knows that it was dialled. */
export async function allRinging(rig: SwitchRig, campaignId: number, called: readonly string[]): Promise<PhoneLeg[]> {
  const legs = await Promise.all(called.map(number => rig.people.ringing(number)));
  await waitUntil('all to be accepted', async () => {
    const attempts = await attemptsOf(rig, campaignId);
    return attempts.filter(({ status }) => status === 'accepted' || status === 'answered').length === called.length;
  });
  return legs;
}

/** Expects that the runtime gets each call within the limit, with the true instant of the customer's answer. */
export async function tellsTold(
  rig: SwitchRig,
  campaignId: number,
  { legs, healedAt }: { legs: readonly PhoneLeg[]; healedAt: number },
): Promise<string> {
  const attempts = await attemptsOf(rig, campaignId);
  const told = () => attempts.filter(({ requestId }) => rig.runtime.toldAt.has(requestId));
  await waitUntil(`the runtime to be told`, () => told().length === attempts.length, SILENCE_LIMIT_MS).catch(() => undefined);
  expectEqual('calls whose runtime was told', told().length, attempts.length);
  const latest = Math.max(...attempts.map(({ requestId }) => rig.runtime.toldAt.get(requestId) ?? 0)) - healedAt;
  expectAtMost('ms until the runtime was told', latest, TOLD_LIMIT_MS);
  await waitUntil('all to be answered', async () => (await attemptsOf(rig, campaignId)).every(({ answeredAt }) => answeredAt !== null));
  const errors = (await attemptsOf(rig, campaignId)).map(({ phoneNumber, answeredAt }) => {
    const leg = legs.find(({ to }) => to === phoneNumber);
    return Math.abs(Date.parse(answeredAt ?? '') - (leg?.answeredAt ?? 0));
  });
  expectAtMost('ms of error in the answer time', Math.max(...errors), ANSWER_SLACK_MS);
  await stopCampaign(rig, campaignId);
  return `told ${Math.round(latest)} ms after the wire was whole, answer time within ${Math.max(...errors)} ms`;
}
