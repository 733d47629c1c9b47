import { describe, expect, test } from '@jest/globals';
import {
  decodeEvent,
  decodeUrl,
  EslProtocolError,
  EslUnsafeCommandError,
  type EslFrame,
  encodeCommand,
  FrameDecoder,
  header,
} from '#platform/freeswitch/esl-codec.ts';
import { randomInt, seededRandom } from '#kernel/random.ts';
import { bytesOf, RECORDINGS } from './recording.ts';

const SMALL_BYTES = 4_096;
const EVERY_BYTE_UP_TO = 65_536;
const SAMPLED_SPLITS = 200;

/** Splits frames in a second, independent way; the decoder is compared with it. */
function framesOf(bytes: Buffer): string[] {
  const frames: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\n\n', at);
    if (end === -1) break;
    const head = bytes.toString('latin1', at, end);
    const length = Number(/^Content-Length: (\d+)$/m.exec(head)?.[1] ?? 0);
    frames.push(`${head}\n\n${bytes.toString('latin1', end + 2, end + 2 + length)}`);
    at = end + 2 + length;
  }
  return frames;
}

function textOfFrame(frame: EslFrame): string {
  const head = [...frame.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return `${Buffer.from(head, 'utf8').toString('latin1')}\n\n${frame.body.toString('latin1')}`;
}

function decode(chunks: Iterable<Buffer>): string[] {
  const decoder = new FrameDecoder();
  const frames: string[] = [];
  for (const chunk of chunks) frames.push(...decoder.push(chunk).map(textOfFrame));
  expect(decoder.pendingBytes).toBe(0);
  return frames;
}

function* byteByByte(bytes: Buffer): Generator<Buffer> {
  const every = Math.min(bytes.length, EVERY_BYTE_UP_TO);
  for (let at = 0; at < every; at += 1) yield bytes.subarray(at, at + 1);
  const random = seededRandom(7);
  for (let at = every; at < bytes.length; ) {
    const size = randomInt(random, 1, 3_000);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

function splitPoints(length: number): number[] {
  if (length <= SMALL_BYTES) return Array.from({ length }, (_none, at) => at);
  const random = seededRandom(length);
  return Array.from({ length: SAMPLED_SPLITS }, () => randomInt(random, 0, length));
}

describe('every recording [fixtures/esl]', () => {
  test.each(RECORDINGS)('%s: the same frames whole, byte by byte, and split in two at any place', name => {
    const bytes = bytesOf(name, 'S->C');
    const expected = framesOf(bytes);
    const joined = expected.join('');
    expect(expected.length).toBeGreaterThan(0);
    expect(decode([bytes])).toEqual(expected);
    expect(decode(byteByByte(bytes))).toEqual(expected);
    for (const at of splitPoints(bytes.length)) {
      const frames = decode([bytes.subarray(0, at), bytes.subarray(at)]);
      if (frames.length !== expected.length || frames.join('') !== joined) throw new Error(`split at ${at}`);
    }
  });

  test.each(RECORDINGS)('%s: every event decodes and has a name', name => {
    const events = new FrameDecoder()
      .push(bytesOf(name, 'S->C'))
      .filter(frame => frame.contentType.startsWith('text/event-'))
      .map(frame => decodeEvent(frame));
    for (const event of events) expect(event?.name).toMatch(/^[A-Z_]+$/);
  });
});

function eventsOf(name: string) {
  return new FrameDecoder().push(bytesOf(name, 'S->C')).flatMap(frame => decodeEvent(frame) ?? []);
}

describe('events [fixtures/esl/README §1]', () => {
  test('an inner body is separated from the headers', () => {
    const job = eventsOf('b-busy-plain').find(event => event.name === 'BACKGROUND_JOB');
    expect(job?.body).toBe('-ERR USER_BUSY\n');
  });

  test.each(['p2-utf8-plain', 'p2-utf8-json'])('%s: Chinese, full-width commas and emoji stay intact', name => {
    const created = eventsOf(name).find(event => event.name === 'CHANNEL_CREATE');
    expect(created && header(created, 'variable_customer_name')).toBe('王小明');
    expect(created && header(created, 'variable_note')).toBe('你好，世界 😀 é');
  });

  test.each(['p2-invalid-utf8-plain', 'p2-invalid-utf8-json'])('%s: invalid UTF-8 becomes U+FFFD', name => {
    const values = eventsOf(name).flatMap(event => [...event.headers].map(([, value]) => String(value)));
    expect(values.some(value => value.includes('\uFFFD'))).toBe(true);
  });

  test.each(RECORDINGS)("%s: a header lookup returns the header's value", name => {
    for (const event of eventsOf(name)) {
      const all = [...new Map(event.headers)];
      expect(all.map(([key]) => [key, event.headers.get(key)])).toEqual(all);
      expect(event.headers.get('Event')).toBeUndefined();
    }
  });

  test('an ARRAY:: value is a list', () => {
    const payload = 'Event-Name: CUSTOM\nvariable_v: ARRAY%3A%3Aa%7C%3Ab%7C%3Ac\n\n';
    const event = decodeEvent(frameOf('text/event-plain', payload));
    expect(event?.headers.get('variable_v')).toEqual(['a', 'b', 'c']);
  });

  test('broken JSON gives no event and no error', () => {
    expect(decodeEvent(frameOf('text/event-json', '{"Event-Name":'))).toBeNull();
  });

  test('a lone percent sign and an incomplete sequence survive decoding', () => {
    expect([decodeUrl('100% ok'), decodeUrl('%CD%F5'), decodeUrl('%E7%8E%8B%')]).toEqual(['100% ok', '\uFFFD\uFFFD', '王%']);
  });
});

function frameOf(contentType: string, body: string): EslFrame {
  return { contentType, headers: new Map([['Content-Type', contentType]]), body: Buffer.from(body) };
}

describe('limits', () => {
  test('a header block without an end is refused at the limit', () => {
    const decoder = new FrameDecoder({ maxHeaderBytes: 16, maxBodyBytes: 16 });
    expect(() => decoder.push(Buffer.from('X-Long: 0123456789'))).toThrow(EslProtocolError);
  });

  test.each(['17', 'abc', '-1', '1e9'])('Content-Length %s is refused', length => {
    const decoder = new FrameDecoder({ maxHeaderBytes: 64, maxBodyBytes: 16 });
    expect(() => decoder.push(Buffer.from(`Content-Length: ${length}\n\n`))).toThrow(EslProtocolError);
  });
});

describe('commands [fixtures/esl/README §7.7]', () => {
  test('a command and its headers form one block', () => {
    expect(encodeCommand('bgapi status', { 'Job-UUID': 'j1' }).toString()).toBe('bgapi status\nJob-UUID: j1\n\n');
  });

  test.each(['\n', '\r', '\0', '\n\n'])('%j is refused in the command line and in a header', bad => {
    expect(() => encodeCommand(`api echo a${bad}api status`)).toThrow(EslUnsafeCommandError);
    expect(() => encodeCommand('bgapi status', { 'Job-UUID': `a${bad}b` })).toThrow(EslUnsafeCommandError);
  });
});
