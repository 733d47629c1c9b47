import { sleep, systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { customerNumber } from '../people.ts';
import { expectAtMost, expectEqual, type Report } from '../report.ts';
import type { SwitchRig } from '../switch-rig.ts';
import { attemptsOf, hangUpAll, settled, startCampaign } from './campaign.ts';
import { allRinging, tellsTold } from './missed-answers.ts';

const AREA = 'kill -9';
const LIMIT_MS = 120_000;
/** From a switch that takes commands again to the first phone that rings. ms */
const DIALS_AGAIN_LIMIT_MS = 5_000;
const TALK_MS = 2_000;

/** Servers and switches that die without a word, while calls ring and while people talk. */
export async function checkKills(rig: SwitchRig, report: Report): Promise<void> {
  const after = async () => {
    if (!rig.server.isRunning()) await rig.startServer();
    await hangUpAll(rig);
  };
  const check = (name: string, work: () => Promise<string>) => report.check(AREA, name, work, { limitMs: LIMIT_MS, after });
  await check('server: 6 answer while it is away', () => serverAwayWhileRinging(rig));
  await check('server: 3 talk, and go on talking', () => serverAwayWhileTalking(rig));
  await check('switch: 3 ring and 3 talk; it dials again', () => switchKilled(rig));
}

const numbers = (first: number, count: number, who: { ringSeconds?: number; does?: number }) =>
  Array.from({ length: count }, (_, index) => customerNumber({ ...who, tone: first + index * 10 }));

async function serverAwayWhileRinging(rig: SwitchRig): Promise<string> {
  const called = numbers(1_000, 6, { ringSeconds: 4 });
  const campaignId = await startCampaign(rig, called);
  const legs = await allRinging(rig, campaignId, called);
  await rig.server.kill();
  await waitUntil('all to answer', () => legs.every(leg => leg.answeredAt !== null));
  await rig.startServer();
  return tellsTold(rig, campaignId, { legs, healedAt: systemClock.now() });
}

async function serverAwayWhileTalking(rig: SwitchRig): Promise<string> {
  const called = numbers(1_070, 3, {});
  const campaignId = await startCampaign(rig, called);
  const legs = await allRinging(rig, campaignId, called);
  await waitUntil('the runtime to have all', async () =>
    (await attemptsOf(rig, campaignId)).every(({ requestId }) => rig.runtime.toldAt.has(requestId)),
  );
  await rig.server.kill();
  await rig.startServer();
  await sleep(systemClock, TALK_MS);
  expectEqual('calls that went on', legs.filter(leg => leg.endedAt === null).length, called.length);
  for (const leg of legs) await rig.people.hangUp(leg);
  const attempts = await settled(rig, campaignId, called.length);
  expectEqual('how they ended', [...new Set(attempts.map(({ status, hangupBy }) => `${status}/${hangupBy}`))], ['completed/customer']);
  return `${called.length} went on, completed when they hung up`;
}

async function switchKilled(rig: SwitchRig): Promise<string> {
  const called = [...numbers(1_900, 3, { does: 180 }), ...numbers(1_940, 3, {})];
  const campaignId = await startCampaign(rig, called);
  await allRinging(rig, campaignId, called);
  await waitUntil(
    'three to talk',
    async () => (await attemptsOf(rig, campaignId)).filter(({ answeredAt }) => answeredAt !== null).length === 3,
  );
  await rig.cell.kill();
  await hangUpAll(rig);
  await rig.cell.start();
  const readyAt = systemClock.now();
  const again = customerNumber({ tone: 1_980, talkSeconds: 1 });
  const nextId = await startCampaign(rig, [again]);
  const leg = await rig.people.ringing(again);
  expectAtMost('ms until a phone rings again', leg.createdAt - readyAt, DIALS_AGAIN_LIMIT_MS);
  await settled(rig, nextId, 1);
  const attempts = await settled(rig, campaignId, called.length);
  const talked = attempts.filter(({ answeredAt }) => answeredAt !== null);
  expectEqual(
    'those who talked',
    talked.map(({ status }) => status),
    ['completed', 'completed', 'completed'],
  );
  return `dials again after ${leg.createdAt - readyAt} ms; ${[...new Set(attempts.map(({ status }) => status))].sort().join(', ')}`;
}
