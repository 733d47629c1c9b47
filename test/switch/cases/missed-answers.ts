import { sleep, systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { customerNumber, type PhoneLeg } from '../people.ts';
import { expectAtMost, expectEqual, type Report } from '../report.ts';
import type { SwitchRig } from '../switch-rig.ts';
import { attemptsOf, hangUpAll, settled, startCampaign, stopCampaign } from './campaign.ts';

const AREA = 'missed answers';
/** I9: from when the switch can be reached to the runtime's being told, ms. */
const TOLD_LIMIT_MS = 5_000;
/** The product's clock, the switch's and ours are the same machine's. ms */
const ANSWER_SLACK_MS = 1_000;
const SILENCE_LIMIT_MS = 15_000;
/** Longer than a retry takes to be dialled. */
const REDIAL_WATCH_MS = 4_000;

/**
 * Nothing passes between product and switch while `work` is done, and what was under way is lost.
 *
 * Shape: when the wire was whole again, UTC ms
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

/** A call detail record may settle a call before the product has its switch again. */
export function seesAgain({ rest }: Pick<SwitchRig, 'rest'>): Promise<boolean> {
  return waitUntil('the product to have its switch again', async () => {
    const { switch: cells }: { switch: { ok: boolean }[] } = await rest('GET', '/health');
    return cells.every(cell => cell.ok);
  });
}

/** Answers, ends and refusals that nobody told of, in calls of campaigns. */
export async function checkMissedAnswers(rig: SwitchRig, report: Report): Promise<void> {
  const after = async () => {
    rig.wire.heal();
    await seesAgain(rig);
    await hangUpAll(rig);
  };
  const check = (name: string, work: () => Promise<string>) => report.check(AREA, name, work, { after });
  await check('campaign: 6 answer while the wire is cut', () => answeredWhileBlind(rig));
  await check('campaign: 3 ring on and answer afterwards', () => answeredAfterwards(rig));
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

/** The runtime has no chance to report: the product alone knows that somebody was there. */
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

/** No event tells of them, nor does the switch know them any more: their records do (D7.8). */
async function answeredAndEndedWhileBlind(rig: SwitchRig): Promise<string> {
  const called = numbers(1_500, 3, { ringSeconds: 3, talkSeconds: 2 });
  const campaignId = await startCampaign(rig, called);
  const legs = await allRinging(rig, campaignId, called);
  const healedAt = await whileBlind(rig, () => waitUntil('all to answer and end', () => legs.every(leg => leg.endedAt !== null)));
  const attempts = await settled(rig, campaignId, called.length);
  const settledAt = systemClock.now();
  // Whom nobody has served: the record tells that they answered, and when.
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

/** Every call rings at its phone, and the product knows that it was dialled. */
export async function allRinging(rig: SwitchRig, campaignId: number, called: readonly string[]): Promise<PhoneLeg[]> {
  const legs = await Promise.all(called.map(number => rig.people.ringing(number)));
  await waitUntil('all to be accepted', async () => {
    const attempts = await attemptsOf(rig, campaignId);
    return attempts.filter(({ status }) => status === 'accepted' || status === 'answered').length === called.length;
  });
  return legs;
}

/** Expects that the runtime is told of each within the limit, with the instant at which the customer really answered. */
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
