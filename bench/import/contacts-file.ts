import { type Random, randomInt, randomPick, seededRandom } from '#kernel/random.ts';

const SEED = 7;
const SURNAMES = ['王', '李', '张', '刘', '陈', '杨', '赵', '黄', '周', '吴'] as const;
const GIVEN = ['伟', '芳', '娜', '敏', '静', '丽', '强', '磊', '军', '洋'] as const;
const CITIES = ['上海', '北京', '广州', '深圳', '成都', '杭州'] as const;
const PREFIXES = ['138', '139', '150', '158', '186', '189', '177', '133'] as const;

/** Characters as in real text, the first most frequent. */
const WRITTEN = Array.from({ length: 1_500 }, (_, index) => String.fromCodePoint(0x4e00 + index * 7));

/**
 * A CSV file as a sales department writes it: number, name, remark and two more columns; all numbers are valid and distinct.
 *
 * Units:  `remarkLength` characters in every remark; 0: one in five rows has a few words
 */
export function contactsFile(rows: number, remarkLength = 0): Buffer {
  const random = seededRandom(SEED);
  const lines = Array.from({ length: rows }, (_, index) => {
    const number = `${randomPick(random, PREFIXES)}${String(index * 9_973)
      .padStart(8, '0')
      .slice(-8)}`;
    const name = `${randomPick(random, SURNAMES)}${randomPick(random, GIVEN)}`;
    const remark = remarkLength > 0 ? written(random, remarkLength) : index % 5 === 0 ? '"老客户，已回访"' : '';
    return `${number},${name},${remark},${randomPick(random, CITIES)},${randomInt(random, 1, 5)}`;
  });
  return Buffer.from(`手机号,姓名,备注,城市,等级\n${lines.join('\n')}\n`);
}

function written(random: Random, length: number): string {
  return Array.from({ length }, () => WRITTEN[Math.floor(WRITTEN.length * random.next() ** 3)]).join('');
}
