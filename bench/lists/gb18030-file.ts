import { randomInt, randomPick, seededRandom } from '#kernel/random.ts';

const SEED = 9;
const SURNAMES = ['王', '李', '张', '刘', '陈', '杨', '赵', '黄', '周', '吴'] as const;
const GIVEN = ['伟', '芳', '娜', '敏', '静', '丽', '强', '磊', '军', '洋'] as const;
const CITIES = ['上海', '北京', '广州', '深圳', '成都', '杭州'] as const;
const PREFIXES = ['138', '139', '150', '158', '186', '189', '177', '133'] as const;
const CHUNK_ROWS = 20_000;

/** The rows of a list as a bank exports it: number, name, id in its own system, remark, city and level; numbers and ids are distinct. */
export function* gb18030File(rows: number): Generator<Buffer> {
  const encode = gb18030Encoder();
  yield encode('手机号,姓名,外部编号,备注,城市,等级\n');
  const random = seededRandom(SEED);
  for (let from = 0; from < rows; from += CHUNK_ROWS) {
    const lines = Array.from({ length: Math.min(CHUNK_ROWS, rows - from) }, (_, index) => {
      const row = from + index;
      const digits = String((row * 9_973) % 100_000_000).padStart(8, '0');
      const name = `${randomPick(random, SURNAMES)}${randomPick(random, GIVEN)}`;
      const remark = row % 5 === 0 ? '"老客户，已回访"' : '';
      return `${PREFIXES[Math.floor(row / 100_000) % PREFIXES.length]}${digits},${name},C${row},${remark},${randomPick(random, CITIES)},${randomInt(random, 1, 5)}\n`;
    });
    yield encode(lines.join(''));
  }
}

/** The runtime decodes GB18030 but does not encode it: the table is its decoder turned round, for characters of two bytes. */
function gb18030Encoder(): (text: string) => Buffer {
  const decoder = new TextDecoder('gb18030');
  const bytesOf = new Map<string, Buffer>();
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const bytes = Buffer.from([lead, trail]);
      const letter = decoder.decode(bytes);
      if (trail !== 0x7f && letter.length === 1 && letter !== '\ufffd') bytesOf.set(letter, bytes);
    }
  return text => Buffer.concat(Array.from(text, letter => bytesOf.get(letter) ?? Buffer.from(letter)));
}
