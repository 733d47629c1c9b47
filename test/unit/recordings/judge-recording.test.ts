import { describe, expect, test } from '@jest/globals';
import { downloadName } from '#recordings/decisions/download-name.ts';
import { incompleteEvent } from '#recordings/decisions/incomplete-event.ts';
import { judgeRecording, nextLook, type RecordingFound, type Verdict } from '#recordings/decisions/judge-recording.ts';
import { countQuiet } from '#recordings/decisions/sound-level.ts';
import { parseWav, secondsOf, type WavHead } from '#recordings/decisions/wav.ts';
import { wavOf } from '#tools/sound/wav.ts';

const sound = (seconds: number | null, quietShare: number | null = 0.4): RecordingFound => ({ kind: 'sound', seconds, quietShare });

describe('what a look at a recording says [D7.20]', () => {
  test.each<[string, RecordingFound, number, Verdict]>([
    ['as long as the call', sound(60), 60, 'complete'],
    ['shorter within three seconds', sound(7), 10, 'complete'],
    ['shorter than that', sound(6.5), 10, 'short'],
    ['shorter within two per cent more', sound(585), 600, 'complete'],
    ['shorter than both', sound(584), 600, 'short'],
    ['longer than the call', sound(90), 60, 'complete'],
    ['nothing to be heard', sound(60, 0.996), 60, 'silent'],
    ['hardly anything to be heard', sound(60, 0.99), 60, 'complete'],
    ['nothing to be heard in a call that was over at once', sound(4, 1), 4, 'complete'],
    ['short and silent', sound(10, 1), 60, 'short'],
    ['of a format without a level', sound(60, null), 60, 'complete'],
    ['of a format without a length', sound(null, null), 60, 'unknown'],
    ['not there', { kind: 'absent' }, 60, 'missing'],
    ['out of reach', { kind: 'unreachable' }, 60, 'unknown'],
  ])('%s', (_, found, talkSeconds, verdict) => {
    expect(judgeRecording(found, talkSeconds)).toBe(verdict);
  });

  test('what may still be written is decided within a minute of the result, and looked at again three times', () => {
    expect(nextLook('complete', 10_000)).toEqual({ isDecided: true, inMs: null });
    expect(nextLook('silent', 10_000)).toEqual({ isDecided: true, inMs: null });
    const ages: number[] = [];
    const decided: boolean[] = [];
    for (let age: number | null = 10_000; age !== null; ) {
      const { isDecided, inMs } = nextLook('missing', age);
      ages.push(age);
      decided.push(isDecided);
      age = inMs === null ? null : age + inMs;
    }
    expect(ages).toEqual([10_000, 25_000, 40_000, 600_000, 3_600_000, 21_600_000]);
    expect(decided).toEqual([false, false, true, true, true, true]);
  });
});

describe('the event of a recording that is not complete [D7.20, D14.3]', () => {
  const checked = { attemptId: 7, campaignId: 3, cellId: 'a', talkSeconds: 60 };
  const told = (verdict: Verdict, found: RecordingFound) => incompleteEvent(checked, { verdict, found, now: 3_600_000 * 5 + 1 });

  test('is one for each call and state, and is folded by its kind', () => {
    expect(told('complete', sound(60))).toBeNull();
    expect(told('short', sound(12.4))).toMatchObject({
      type: 'call.recording_incomplete',
      level: 'warning',
      campaignId: 3,
      attemptId: 7,
      message: '录音 12 秒，通话 60 秒',
      detail: { kind: 'short', talkSeconds: 60, recordedSeconds: 12.4 },
      dedupeKey: 'recording:7:short',
    });
    expect(told('missing', { kind: 'absent' })).toMatchObject({ detail: { kind: 'missing' }, dedupeKey: 'recording:7:missing' });
  });

  test('of a place that gives no answer is one for each cell and hour', () => {
    const event = told('unknown', { kind: 'unreachable' });
    expect(event).toMatchObject({ cellId: 'a', detail: { kind: 'unknown' }, dedupeKey: 'recording:a:5' });
    expect(event).not.toHaveProperty('attemptId');
  });
});

/** A head as switches write it, with a list of texts before the sound. */
function headOf({ code = 1, channels = 1, bits = 16, dataBytes = 1_000, extra = 0 } = {}): Buffer {
  const head = Buffer.alloc(12 + 24 + 8 + extra + 8);
  head.write('RIFF', 0);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(code, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE((8_000 * channels * bits) / 8, 28);
  head.writeUInt16LE((channels * bits) / 8, 32);
  head.writeUInt16LE(bits, 34);
  head.write('LIST', 36);
  head.writeUInt32LE(extra, 40);
  head.write('data', 44 + extra);
  head.writeUInt32LE(dataBytes, 48 + extra);
  return head;
}

describe('the head of a WAV file', () => {
  test('tells length and encoding', () => {
    const file = wavOf(new Int16Array(8_000 * 3));
    expect(parseWav(file, file.length)).toMatchObject({ encoding: 'pcm', sampleBytes: 2, dataOffset: 44, dataBytes: 48_000 });
    const ulaw = parseWav(headOf({ code: 7, bits: 8, channels: 2, dataBytes: 32_000, extra: 26 }), 100_000);
    expect(ulaw).toMatchObject({ encoding: 'ulaw', sampleBytes: 1, blockBytes: 2, dataOffset: 78 });
    expect(secondsOf(ulaw as WavHead)).toBe(2);
  });

  test.each([
    ['0, as a writer that was killed leaves it', 0],
    ['of all ones', 0xff_ff_ff_ff],
    ['longer than the file', 5_000_000],
  ])('a length of %s gives way to the size of the file', (_, dataBytes) => {
    const head = headOf({ dataBytes });
    expect(parseWav(head, head.length + 16_000)?.dataBytes).toBe(16_000);
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['another file', Buffer.from('ID3 and so on, for more than forty-four bytes of a file that is none')],
    ['a head that is cut', wavOf(new Int16Array(10)).subarray(0, 38)],
  ])('%s is no WAV file', (_, bytes) => {
    expect(parseWav(bytes, bytes.length)).toBeNull();
  });

  test('chunks that lie about their length end the search', () => {
    const head = headOf();
    head.writeUInt32LE(0xff_ff_ff_f0, 40);
    expect(parseWav(head, 1_000)).toBeNull();
  });
});

describe('the level of samples', () => {
  const loud = Int16Array.from({ length: 100 }, (_, index) => (index < 40 ? 50 : 4_000));
  test('counts those below -50 dB of full scale', () => {
    expect(countQuiet(new Uint8Array(loud.buffer), { encoding: 'pcm', sampleBytes: 2 })).toEqual({ quiet: 40, total: 100 });
  });

  test.each([
    ['ulaw', 0xff, 0x80],
    ['alaw', 0xd5, 0xaa],
  ] as const)('%s has its quiet and its loud codes', (encoding, quiet, high) => {
    expect(countQuiet(Uint8Array.from([quiet, quiet, high]), { encoding, sampleBytes: 1 })).toEqual({ quiet: 2, total: 3 });
  });

  test('8 bits have their middle at 128; 24 and 32 bits count by their highest', () => {
    expect(countQuiet(Uint8Array.from([128, 200]), { encoding: 'pcm', sampleBytes: 1 })).toEqual({ quiet: 1, total: 2 });
    expect(countQuiet(Uint8Array.from([9, 9, 0, 0, 0, 0x20]), { encoding: 'pcm', sampleBytes: 3 })).toEqual({ quiet: 1, total: 2 });
    expect(countQuiet(Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0x20]), { encoding: 'pcm', sampleBytes: 4 })).toEqual({ quiet: 1, total: 2 });
    expect(countQuiet(new Uint8Array(8), { encoding: 'other', sampleBytes: 4 })).toBeNull();
  });
});

test('a downloaded recording is named by campaign, local time and id [D7.21]', () => {
  const call = { id: 12, campaignName: '双11/回访: "A"', startedAt: Date.parse('2026-11-29T06:30:05.400Z'), recording: 'x.WAV' };
  expect(downloadName(call, 'Asia/Shanghai')).toBe('双11_回访_ _A_-20261129-143005-12.wav');
});
