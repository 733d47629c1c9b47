import { randomInt, randomPick, seededRandom } from '#kernel/random.ts';

const SEED = 7;
const SURNAMES = ['王', '李', '张', '刘', '陈', '杨', '赵', '黄', '周', '吴'] as const;
const GIVEN = ['伟', '芳', '娜', '敏', '静', '丽', '强', '磊', '军', '洋'] as const;
const CITIES = ['上海', '北京', '广州', '深圳', '成都', '杭州'] as const;
const PREFIXES = ['138', '139', '150', '158', '186', '189', '177', '133'] as const;

/** A CSV as a sales department sends it: number, name, remark and two more columns; every number is valid and different. */
export function contactsFile(rows: number): Buffer {
  const random = seededRandom(SEED);
  const lines = Array.from({ length: rows }, (_, index) => {
    const number = `${randomPick(random, PREFIXES)}${String(index * 9_973)
      .padStart(8, '0')
      .slice(-8)}`;
    const name = `${randomPick(random, SURNAMES)}${randomPick(random, GIVEN)}`;
    const remark = index % 5 === 0 ? '"老客户，已回访"' : '';
    return `${number},${name},${remark},${randomPick(random, CITIES)},${randomInt(random, 1, 5)}`;
  });
  return Buffer.from(`手机号,姓名,备注,城市,等级\n${lines.join('\n')}\n`);
}
