import { describe, expect, test } from '@jest/globals';
import type { FileRow } from '#imports/file-table.ts';
import { readRecords } from '#imports/read-table.ts';
import { BLOCK_LINES, FILE_START, readBlock, type TextPlace } from '#imports/text-block.ts';
import { systemClock } from '#kernel/clock.ts';
import { randomInt, randomPick, seededRandom } from '#kernel/random.ts';

/** Reads a file with windows of so many bytes, as a job does whose blocks are small. */
async function readInBlocks(bytes: Buffer, windowBytes: number): Promise<{ rows: FileRow[]; places: TextPlace[] }> {
  const rows: FileRow[] = [];
  const places: TextPlace[] = [];
  for (let place = FILE_START; place.offset < bytes.length; ) {
    const window = bytes.subarray(place.offset, place.offset + windowBytes);
    const isLast = place.offset + windowBytes >= bytes.length;
    const block = await readBlock(systemClock, window, { place, separator: ',', fileName: 'list.csv', isLast });
    rows.push(...block.rows);
    expect(block.next.offset).toBeGreaterThan(place.offset);
    place = block.next;
    places.push(place);
  }
  return { rows, places };
}

const CELLS = ['13800138000', '张伟', '"他说""好"""', '"第一行\n第二行"', '"甲,乙"', '', '你好"吗"', 'plain'] as const;

function randomFile(seed: number): string {
  const random = seededRandom(seed);
  const end = randomPick(random, ['\n', '\r\n'] as const);
  const lines = Array.from({ length: randomInt(random, 1, 60) }, () =>
    Array.from({ length: randomInt(random, 1, 5) }, () => randomPick(random, CELLS)).join(','),
  );
  return lines.join(end) + randomPick(random, ['', end] as const);
}

/** 张伟 and 你好, 第一行 and so on in GB18030, in which the runtime decodes but does not encode. */
const GB18030: Readonly<Record<string, string>> = {
  张: 'd5c5',
  伟: 'ceb0',
  他: 'cbfb',
  说: 'cbb5',
  好: 'bac3',
  第: 'b5da',
  一: 'd2bb',
  二: 'b6fe',
  行: 'd0d0',
  甲: 'bcd7',
  乙: 'd2d2',
  你: 'c4e3',
  吗: 'c2f0',
};

function inGb18030(text: string): Buffer {
  return Buffer.concat(Array.from(text, letter => Buffer.from(GB18030[letter] ?? Buffer.from(letter).toString('hex'), 'hex')));
}

describe('a file that is read block by block [D6.9]', () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'has the rows that it has as a whole, whatever the blocks (seed %i)',
    async seed => {
      const text = randomFile(seed);
      const whole = await readRecords(systemClock, text, ',');
      for (const encode of [(plain: string) => Buffer.from(plain), inGb18030])
        for (const windowBytes of [150, 400, 1_000_000]) expect((await readInBlocks(encode(text), windowBytes)).rows).toEqual(whole);
    },
  );

  test('goes on from any of its places', async () => {
    const text = randomFile(7).repeat(20);
    const bytes = Buffer.from(text);
    const { places } = await readInBlocks(bytes, 500);
    const whole = await readRecords(systemClock, text, ',');
    const place = places[Math.floor(places.length / 2)] ?? FILE_START;
    const rest = await readBlock(systemClock, bytes.subarray(place.offset), { place, separator: ',', fileName: 'list.csv', isLast: true });
    expect(rest.rows).toEqual(whole.filter(({ row }) => row > place.rows));
  });

  test('tells the encoding by the first byte outside ASCII, however late that comes', async () => {
    const ascii = '13800138000,a\n'.repeat(50);
    const { rows, places } = await readInBlocks(inGb18030(`${ascii}13900139000,张伟\n`), 200);
    expect(rows.at(-1)?.cells).toEqual(['13900139000', '张伟']);
    expect([places[0]?.encoding, places.at(-1)?.encoding]).toEqual([null, 'gb18030']);
  });

  test('bounds the rows of a block', async () => {
    const bytes = Buffer.from('1\n'.repeat(BLOCK_LINES + 10));
    const block = await readBlock(systemClock, bytes, { place: FILE_START, separator: ',', fileName: 'list.csv', isLast: true });
    expect([block.rows.length, block.next.rows]).toEqual([BLOCK_LINES, BLOCK_LINES]);
  });

  test('names the line of a quote that nothing closes, counted in the whole file', async () => {
    const bytes = Buffer.from(`${'1,2\n'.repeat(30)}1,"open\n${'3,4\n'.repeat(300)}`);
    await expect(readInBlocks(bytes, 200)).rejects.toMatchObject({
      faults: [{ problem: { code: 'openQuote', parameters: { line: 31 } } }],
    });
  });
});
