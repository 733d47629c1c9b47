import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { manualClock } from '#test/support/manual-clock.ts';
import { type Frame, FRAME_SAMPLES, mix } from '#tools/switch/media/frame.ts';
import { decodeMuLaw, encodeMuLaw } from '#tools/switch/media/g711.ts';
import { JitterBuffer } from '#tools/switch/media/jitter-buffer.ts';
import { resample } from '#tools/switch/media/espeak.ts';
import { createSpeech } from '#tools/switch/media/speech.ts';
import { type Hearing, SwitchSound } from '#tools/switch/media/switch-sound.ts';

const level = (value: number): Frame => new Int16Array(FRAME_SAMPLES).fill(value);

describe('frames', () => {
  test('a mix is the sum, and what exceeds the range is clipped', () => {
    expect(mix([level(100), level(-30), level(5)])[0]).toBe(75);
    expect([mix([level(30_000), level(30_000)])[7], mix([level(-30_000), level(-30_000)])[7]]).toEqual([32_767, -32_768]);
  });

  test('µ-law keeps a sample within its step [G.711]', () => {
    fc.assert(
      fc.property(fc.integer({ min: -32_000, max: 32_000 }), sample => {
        const [back = 0] = decodeMuLaw(encodeMuLaw(Int16Array.of(sample)));
        expect(Math.abs(back - sample)).toBeLessThanOrEqual(Math.max(8, Math.abs(sample) / 16));
      }),
    );
  });

  test.each([
    [0, 0xff],
    [32_635, 0x80],
    [-32_635, 0x00],
    [-1, 0x7f],
  ])('%i is the octet %i [G.711, table 2a]', (sample, octet) => {
    expect(encodeMuLaw(Int16Array.of(sample))[0]).toBe(octet);
  });
});

describe('jitter', () => {
  test('frames are played in order after a cushion of three, and a lost one is silence', () => {
    const buffer = new JitterBuffer();
    for (const sequence of [65_534, 0, 65_535, 2]) buffer.push(sequence, level(sequence));
    const played = Array.from({ length: 6 }, () => buffer.take()?.[0] ?? null);
    expect(played).toEqual([level(65_534)[0], level(65_535)[0], 0, null, 2, null]);
  });

  test('a late frame is dropped, and so is what exceeds the bound', () => {
    const buffer = new JitterBuffer();
    for (let sequence = 10; sequence < 30; sequence += 1) buffer.push(sequence, level(sequence));
    buffer.push(9, level(9));
    const first = buffer.take()?.[0] ?? 0;
    expect(first).toBeGreaterThan(20);
  });
});

/** A switch where everybody hears everybody by default. */
function aRoom(hearing: Partial<Record<string, Hearing>> = {}) {
  const clock = manualClock();
  let stalledMs = 0;
  const heard = new Map<string, number[]>();
  const names: string[] = [];
  const sound = new SwitchSound({
    clock: { ...clock, monotonic: () => clock.monotonic() + stalledMs },
    hearingOf: uuid => hearing[uuid] ?? { others: names.filter(name => name !== uuid), background: null },
  });
  const join = (uuid: string, value: number | null) => {
    names.push(uuid);
    heard.set(uuid, []);
    sound.join(uuid, { take: () => (value === null ? null : level(value)), give: frame => void heard.get(uuid)?.push(frame[0] ?? 0) });
  };
  const stall = (ms: number) => void (stalledMs += ms);
  return {
    clock,
    stall,
    sound,
    join,
    names,
    last: (uuid: string) => heard.get(uuid)?.at(-1),
    countOf: (uuid: string) => heard.get(uuid)?.length,
  };
}

describe('the sound of the switch', () => {
  test('each hears the sum of the others every 20 ms, and not itself', async () => {
    const { clock, join, last, countOf } = aRoom();
    join('a', 1);
    join('b', 20);
    join('c', 300);
    await clock.pass(100);
    expect([last('a'), last('b'), last('c')]).toEqual([320, 301, 21]);
    expect(countOf('a')).toBe(5);
  });

  test('a held end is not heard, and hears on', async () => {
    const { clock, sound, join, last } = aRoom();
    join('a', 1);
    join('b', 20);
    sound.hold('b', true);
    await clock.pass(20);
    expect([last('a'), last('b')]).toEqual([0, 1]);
  });

  test('what is spoken on a channel is heard by those who hear it, until it ends', async () => {
    const { clock, sound, join, names, last } = aRoom();
    names.push('customer');
    join('agent', 0);
    sound.speak('customer', new Int16Array(FRAME_SAMPLES * 2).fill(50));
    expect([sound.isHeard('customer'), sound.isHeard('nobody')]).toEqual([true, false]);
    await clock.pass(40);
    expect(last('agent')).toBe(50);
    await clock.pass(20);
    expect(last('agent')).toBe(0);
  });

  test('a tape has the sum of its channels at its time, silence included', async () => {
    const { clock, sound, join } = aRoom();
    const tape = sound.record(() => ['a', 'b']);
    await clock.pass(1_000);
    join('a', 1);
    join('b', 20);
    await clock.pass(200);
    const samples = tape.stop() ?? new Int16Array();
    expect(samples.length / FRAME_SAMPLES).toBeGreaterThanOrEqual(59);
    expect([samples[0], samples.at(-1)]).toEqual([0, 21]);
    expect(sound.record(() => ['nobody']).stop()).toBeNull();
  });

  test('it tells how long people have spoken, and since when they are silent', async () => {
    const { clock, sound, join, names } = aRoom({ customer: { others: ['agent'], background: null } });
    names.push('customer');
    expect(sound.peopleHeardBy('customer')).toBeNull();
    join('agent', 5_000);
    await clock.pass(400);
    expect(sound.peopleHeardBy('customer')).toEqual({ spokenMs: 400, silentMs: 0 });
    sound.hold('agent', true);
    await clock.pass(300);
    expect(sound.peopleHeardBy('customer')).toEqual({ spokenMs: 400, silentMs: 300 });
  });

  test('a machine that stood still for a second makes up for 100 ms of it at most', async () => {
    const { clock, stall, join, countOf } = aRoom();
    join('a', 1);
    await clock.pass(100);
    stall(1_000);
    await clock.pass(100);
    expect(countOf('a')).toBeGreaterThanOrEqual(10);
    expect(countOf('a')).toBeLessThanOrEqual(16);
  });
});

describe('speech', () => {
  test('without a program a tone is as long as its text', async () => {
    const speech = createSpeech(() => null);
    expect((await speech.soundOf('bot', '您好')).length).toBe(2 * 180 * 8);
    expect(await speech.soundOf('bot', '')).toHaveLength(0);
  });

  test('a program that fails gives tones, not silence', async () => {
    const speech = createSpeech(() => '/bin/false');
    expect((await speech.soundOf('customer', '喂')).length).toBe(180 * 8);
  });

  test('a long text is cut, and 22 050 Hz become 8 000', async () => {
    expect((await createSpeech(() => null).soundOf('bot', 'a'.repeat(5_000))).length).toBe(300 * 180 * 8);
    expect(resample(new Int16Array(22_050).fill(7), 22_050)).toEqual(new Int16Array(8_000).fill(7));
  });
});
