import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEvent, type EslEvent, FrameDecoder } from '#platform/freeswitch/esl-codec.ts';
import { toSwitchEvent } from '#platform/freeswitch/events.ts';
import { median, numberOption, ownCpuMs } from '#bench/support/measure.ts';
import type { Bench } from '#tools/commands/bench-context.ts';
import { PROJECT } from '#tools/commands/project.ts';

const ROUNDS = 9;
const CALLS_PER_ROUND = 2_000;
/** Recording of one answered call on a real switch: created, progress, answered, hung up. */
const RECORDING = 'test/fixtures/esl/b-answered-bye-plain.jsonl';

/**
 * Decoding the switch's bytes: frames of a recorded call → facts, against a decoder that decodes every header of every event.
 * `npm run bench -- esl [--rounds N] [--calls N]`
 */
export const bench: Bench = ({ args }) => {
  const bytes = recordedBytes();
  const calls = numberOption(args, 'calls', CALLS_PER_ROUND);
  const rounds = numberOption(args, 'rounds', ROUNDS);
  const sides = { ours: [] as number[], all: [] as number[] };
  // The first round is a warm-up for both.
  for (let round = 0; round <= rounds; round += 1) {
    const took = { ours: cpuUsOfCall(bytes, calls, event => event), all: cpuUsOfCall(bytes, calls, decodeAll) };
    if (round === 0) continue;
    sides.ours.push(took.ours);
    sides.all.push(took.all);
  }
  const [ours, all] = [median(sides.ours), median(sides.all)];
  return Promise.resolve({
    bench: 'esl',
    ratios: [{ what: 'CPU per call / of a reader that decodes every header', ratio: ours / all, bar: { atMost: 0.25 } }],
    figures: [
      { what: 'CPU per call', value: ours, unit: 'µs' },
      { what: 'CPU per call, every header decoded', value: all, unit: 'µs' },
      { what: 'bytes of a call', value: bytes.length, unit: 'bytes' },
      { what: 'read', value: bytes.length / ours, unit: 'MB/s' },
    ],
  });
};

function recordedBytes(): Buffer {
  const lines = readFileSync(join(PROJECT, RECORDING), 'utf8').split('\n').filter(Boolean);
  const reads = lines.map((line): { dir?: string; b64?: string } => JSON.parse(line)).filter(each => each.dir === 'S->C');
  return Buffer.concat(reads.map(each => Buffer.from(each.b64 ?? '', 'base64')));
}

function cpuUsOfCall(bytes: Buffer, calls: number, read: (event: EslEvent) => EslEvent): number {
  const decoder = new FrameDecoder();
  const before = ownCpuMs();
  let facts = 0;
  for (let call = 0; call < calls; call += 1) {
    for (const frame of decoder.push(bytes)) {
      const event = decodeEvent(frame);
      if (event !== null && toSwitchEvent('cell-1', read(event)) !== null) facts += 1;
    }
  }
  if (facts === 0) throw new Error(`${RECORDING} tells nothing`);
  return ((ownCpuMs() - before) * 1_000) / calls;
}

function decodeAll({ name, headers, body }: EslEvent): EslEvent {
  return { name, headers: new Map(headers), body };
}
