import { rename, rm, writeFile } from 'node:fs/promises';
import { sleep, systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { customerNumber, type PhoneLeg } from '../people.ts';
import { expectAtMost, expectEqual, type Report } from '../report.ts';
import { MAX_ORIGINATES_PER_SECOND, type SwitchRig } from '../switch-rig.ts';
import { attemptsOf, freeAgent, hangUpAll, settled, startCampaign, stopCampaign } from './campaign.ts';
import { liveCall, routeTransfer } from './people-acts.ts';

const LIMIT_MS = 120_000;
const SECOND_MS = 1_000;
/** Network delay between the originate and the callee; the switch's clock ticks every 20 ms. In ms. */
const JITTER_MS = 50;
const RESUME_LIMIT_MS = 60_000;
const PAUSE_MS = 3_000;
const ALERT_LIMIT_MS = 8_000;

/** Limits, the cell's rate, and a switch that refuses by itself. */
export async function checkLimits(rig: SwitchRig, report: Report): Promise<void> {
  await report.check('limits', '60 dials: the rate of the cell, none refused', () => rate(rig), { limitMs: LIMIT_MS });
  await report.check('limits', '30 dials by a campaign of 8 at once', () => cap(rig), { limitMs: LIMIT_MS });
  await report.check('local refusals', 'a paused switch costs the contacts nothing', () => paused(rig), { limitMs: LIMIT_MS });
  await report.check('recordings', 'one that cannot be written is withdrawn', () => unwritable(rig), { limitMs: LIMIT_MS });
  await hangUpAll(rig);
}

const numbers = (first: number, count: number, talkSeconds: number) =>
  Array.from({ length: count }, (_, index) => customerNumber({ tone: first + index, talkSeconds }));

async function rate(rig: SwitchRig): Promise<string> {
  const called = numbers(1_300, 60, 1);
  const legs = await dialAll(rig, called, { maxConcurrency: 50 });
  const starts = legs.map(({ createdAt }) => createdAt).sort((a, b) => a - b);
  const most = Math.max(...starts.map(start => starts.filter(each => each >= start && each < start + SECOND_MS - JITTER_MS).length));
  expectAtMost('starts within a second', most, MAX_ORIGINATES_PER_SECOND);
  return `${legs.length} calls, at most ${most} a second`;
}

async function cap(rig: SwitchRig): Promise<string> {
  const legs = await dialAll(rig, numbers(1_400, 30, 1), { maxConcurrency: 8 });
  const most = mostAtOnce(legs);
  expectAtMost('calls at once', most, 8);
  return `${legs.length} calls, at most ${most} at once`;
}

/** Checks that every number is called once, and every call completed. */
async function dialAll(rig: SwitchRig, called: readonly string[], change: object): Promise<PhoneLeg[]> {
  const campaignId = await startCampaign(rig, called, change);
  const attempts = await settled(rig, campaignId, called.length, LIMIT_MS / 2);
  expectEqual('statuses', [...new Set(attempts.map(({ status }) => status))], ['completed']);
  const legs = rig.people.legs.filter(({ to }) => called.includes(to));
  expectEqual('calls', legs.length, called.length);
  return legs;
}

function mostAtOnce(legs: readonly PhoneLeg[]): number {
  return Math.max(
    ...legs.map(({ createdAt }) => legs.filter(each => each.createdAt <= createdAt && (each.endedAt ?? Infinity) > createdAt).length),
  );
}

/** Refused without a channel: no number is at fault, and each is called when the switch works again. */
async function paused(rig: SwitchRig): Promise<string> {
  const called = numbers(1_460, 3, 1);
  await rig.cell.api('fsctl pause');
  const campaignId = await startCampaign(rig, called);
  await sleep(systemClock, PAUSE_MS);
  const refused = (await attemptsOf(rig, campaignId)).length;
  await rig.cell.api('fsctl resume');
  const resumedAt = systemClock.now();
  const isCalled = (number: string) => rig.people.legs.some(({ to }) => to === number);
  try {
    await waitUntil('each to be called', () => called.every(isCalled), RESUME_LIMIT_MS);
  } finally {
    await stopCampaign(rig, campaignId);
  }
  return `${refused} dials refused, each called ${Math.round((systemClock.now() - resumedAt) / SECOND_MS)} s after the switch worked again`;
}

/** A file replaces the folder, because the user who runs the switch may be able to write anywhere else. */
async function unwritable(rig: SwitchRig): Promise<string> {
  const { recordingFolder } = rig;
  const away = `${recordingFolder}-away`;
  await rename(recordingFolder, away);
  await writeFile(recordingFolder, '');
  try {
    await freeAgent(rig, '1001');
    const { conferenceId } = await routeTransfer(rig, await liveCall(rig, 1_480), '1001');
    await rig.people.answer('1001');
    const told = async () => (await rig.rest('GET', `/api/conference-sessions/${conferenceId}`)).session.recordingUrl;
    await sleep(systemClock, PAUSE_MS);
    await waitUntil('the address to be withdrawn', async () => (await told()) === null, ALERT_LIMIT_MS);
    return 'no address is told';
  } finally {
    await hangUpAll(rig);
    await rm(recordingFolder);
    await rename(away, recordingFolder);
  }
}
