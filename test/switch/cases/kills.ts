import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sleep, systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { customerNumber } from '../people.ts';
import { expectAtMost, expectEqual, type Report } from '../report.ts';
import { PROJECT } from '#tools/commands/project.ts';
import { INTERNAL_TOKEN, type SwitchRig } from '../switch-rig.ts';
import { type AttemptRow, attemptsOf, hangUpAll, settled, startCampaign } from './campaign.ts';
import { allRinging, tellsTold } from './missed-answers.ts';

const AREA = 'kill -9';
const LIMIT_MS = 120_000;
/** Longest time from a switch that accepts commands again to the first ringing phone, in ms. */
const DIALS_AGAIN_LIMIT_MS = 5_000;
const TALK_MS = 2_000;
/** Time for mod_json_cdr to make three attempts, 5 s apart, before it writes a record to disk, in ms. */
const SPOOLED_LIMIT_MS = 40_000;
const ANSWER_SLACK_MS = 1_000;

const run = promisify(execFile);

/** Servers and switches that are killed while phones ring and while customers talk. */
export async function checkKills(rig: SwitchRig, report: Report): Promise<void> {
  const after = async () => {
    if (!rig.server.isRunning()) await rig.startServer();
    await hangUpAll(rig);
  };
  const check = (name: string, work: () => Promise<string>) => report.check(AREA, name, work, { limitMs: LIMIT_MS, after });
  await check('server: 6 answer while it is down', () => serverAwayWhileRinging(rig));
  await check('server: 3 talk, and continue talking', () => serverAwayWhileTalking(rig));
  await check('server: 3 answer and end while it is down; their records wait on disk', () => recordsOnDisk(rig));
  await check('switch: 3 ring and 3 talk; it dials again', () => switchKilled(rig));
}

const numbers = (first: number, count: number, who: { ringSeconds?: number; talkSeconds?: number; does?: number }) =>
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

/**
 * Records that were not accepted stay in mod_json_cdr's folder until docker/cdr-resend.mjs posts them: each settles its call once, and a
 * copy never does (D7.8).
 */
async function recordsOnDisk(rig: SwitchRig): Promise<string> {
  const called = numbers(1_140, 3, { ringSeconds: 2, talkSeconds: 2 });
  const campaignId = await startCampaign(rig, called, { maxRetries: 2, retryIntervalSeconds: 1 });
  const legs = await allRinging(rig, campaignId, called);
  const requestIds = (await attemptsOf(rig, campaignId)).map(({ requestId }) => requestId);
  await rig.server.kill();
  await waitUntil('all to answer and end', () => legs.every(leg => leg.answeredAt !== null && leg.endedAt !== null));
  const records = await waitUntil('the records to be on disk', () => readRecords(rig, requestIds), SPOOLED_LIMIT_MS);
  await rig.startServer();
  const before = await settled(rig, campaignId, called.length);
  expectEqual('before the records', statusesOf(before), ['outcome_unknown']);
  await resendAll(rig);
  const after = await attemptsOf(rig, campaignId);
  expectEqual('after the records', statusesOf(after), ['completed']);
  const errors = after.map(({ phoneNumber, answeredAt }) => {
    const leg = legs.find(({ to }) => to === phoneNumber);
    return Math.abs(Date.parse(answeredAt ?? '') - (leg?.answeredAt ?? 0));
  });
  expectAtMost('ms of error in the answer time', Math.max(...errors), ANSWER_SLACK_MS);
  for (const [name, text] of records) await writeFile(join(rig.recordSpool, name), text);
  await resendAll(rig);
  expectEqual('after copies of the records', await attemptsOf(rig, campaignId), after);
  return `${records.size} records from disk, each once; answer time within ${Math.max(...errors)} ms, none dialled again`;
}

/** The switch posts one record after the other, so they reach the disk seconds apart. */
async function readRecords({ recordSpool }: SwitchRig, requestIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const names = requestIds.map(requestId => `${requestId}.cdr.json`);
  const texts = await Promise.all(names.map(name => readFile(join(recordSpool, name), 'utf8')));
  return new Map(names.map((name, index) => [name, texts[index] ?? '']));
}

/** Rounds until all are accepted; a round leaves records alone that may still be being written. */
function resendAll(rig: SwitchRig): Promise<boolean> {
  return waitUntil('all records to be accepted', async () => {
    await resend(rig);
    const left = await readdir(rig.recordSpool);
    if (left.length > 0) throw new Error(left.join());
    return true;
  });
}

/** One round of the service in docker/compose.production.yaml. */
async function resend({ recordSpool, recordUrl }: SwitchRig): Promise<void> {
  const script = join(PROJECT, 'docker/cdr-resend.mjs');
  const env = { PATH: process.env['PATH'], CALLOUT_INTERNAL_TOKEN: INTERNAL_TOKEN };
  const { stderr } = await run(process.execPath, [script, recordSpool, recordUrl, '--once'], { env });
  expectEqual('complaints', stderr, '');
}

function statusesOf(attempts: readonly AttemptRow[]): string[] {
  return [...new Set(attempts.map(({ status }) => status))];
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
