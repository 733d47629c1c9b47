import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import { callRecorder } from '#tools/runtime/call-recording.ts';
import type { Segment } from '#tools/runtime/conversation.ts';
import { CALL_ID, runtimeRig } from './runtime-rig.ts';

const RATE = 8_000;
const HEADER_BYTES = 44;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-calls-'));
});
afterEach(() => rm(folder, { recursive: true }));

const said = (startMs: number, endMs: number, more: Partial<Segment> = {}): Segment => ({
  segmentId: `s${startMs}`,
  speaker: 'bot',
  text: '您好，请问方便吗？',
  final: true,
  startMs,
  endMs,
  nodeId: 'n',
  ...more,
});

/** Amplitude of the loudest sample between two times in ms. */
function loudest(file: Buffer, fromMs: number, toMs: number): number {
  let peak = 0;
  for (let at = (fromMs * RATE) / 1_000; at < (toMs * RATE) / 1_000; at += 1)
    peak = Math.max(peak, Math.abs(file.readInt16LE(HEADER_BYTES + at * 2)));
  return peak;
}

describe('the recording of a call', () => {
  test('is as long as the call, with sound where someone spoke and silence in between', async () => {
    const segments = [said(500, 1_500), said(2_000, 2_600, { speaker: 'customer' }), said(2_700, 2_900, { final: false })];
    const name = await callRecorder(folder, silentLog)({ requestId: CALL_ID, segments, lengthMs: 3_000 });
    const file = await readFile(join(folder, name ?? ''));
    expect([name, file.toString('latin1', 0, 4), file.readUInt32LE(24), file.readUInt16LE(22)]).toEqual([
      `${CALL_ID}.wav`,
      'RIFF',
      RATE,
      1,
    ]);
    expect(file.length).toBe(HEADER_BYTES + 3 * RATE * 2);
    expect([loudest(file, 0, 500), loudest(file, 1_500, 2_000), loudest(file, 2_600, 3_000)]).toEqual([0, 0, 0]);
    expect(Math.min(loudest(file, 500, 1_500), loudest(file, 2_000, 2_600))).toBeGreaterThan(3_000);
  });

  test('is cut off after ten minutes', async () => {
    await callRecorder(folder, silentLog)({ requestId: CALL_ID, segments: [said(0, 900)], lengthMs: 1_800_000 });
    expect((await readFile(join(folder, `${CALL_ID}.wav`))).length).toBe(HEADER_BYTES + 600 * RATE * 2);
  });

  test('is not written if no one spoke, without a folder, or if the folder is not writable', async () => {
    const call = { requestId: CALL_ID, segments: [said(0, 900)], lengthMs: 1_000 };
    expect(await callRecorder(folder, silentLog)({ ...call, segments: [] })).toBeNull();
    expect(await callRecorder(null, silentLog)(call)).toBeNull();
    await writeFile(join(folder, 'file'), '');
    expect(await callRecorder(join(folder, 'file'), silentLog)(call)).toBeNull();
    expect(await readdir(folder)).toEqual(['file']);
  });

  test('replaces the oldest recordings, and deletes no file that is not a recording of a call', async () => {
    const old = Array.from({ length: 520 }, () => `${randomUUID()}.wav`);
    for (const [index, name] of [...old, 'conference.wav'].entries()) {
      await writeFile(join(folder, name), '');
      await utimes(join(folder, name), 1_000 + index, 1_000 + index);
    }
    await callRecorder(folder, silentLog)({ requestId: CALL_ID, segments: [said(0, 900)], lengthMs: 1_000 });
    const left = await readdir(folder);
    expect([left.length, left.includes('conference.wav'), left.includes(old[0] ?? ''), left.includes(old.at(-1) ?? '')]).toEqual([
      452,
      true,
      false,
      true,
    ]);
  });
});

test('is named in the result', async () => {
  const calls: unknown[] = [];
  const rig = runtimeRig({
    recordCall: call => {
      calls.push(call.requestId);
      return Promise.resolve('call.wav');
    },
  });
  await rig.start();
  await rig.clock.pass(120_000);
  expect([rig.result().recordingUrl, calls]).toEqual(['call.wav', [CALL_ID]]);
});
