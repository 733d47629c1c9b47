import { only } from '#test/support/only.ts';
import { rowsOnly } from '#test/support/rows-only.ts';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { systemClock } from '#kernel/clock.ts';
import { systemCaller } from '#kernel/caller.ts';
import type { ImportResult } from '#contacts/import-result.ts';
import { importFile, type ImportFileInput } from '#imports/import-file.ts';
import type { NewContact, ContactStore } from '#contacts/contact.ts';
import { dialKey, type Region } from '#phone-numbers/dial-key.ts';
import type { CampaignStatus } from '#campaigns/decisions/campaign-states.ts';
import { campaignRecord } from '#test/support/campaign-record.ts';

const CAMPAIGN = campaignRecord(0, { id: 7, businessCode: 'b', lineIds: [1] });

/** A campaign that keeps contacts in memory under the store's rule: one contact per number key. */
class World {
  status: CampaignStatus = 'draft';
  /** Status at the time of the lock; as before when null. */
  statusAtLock: CampaignStatus | null = null;
  readonly contacts = new Map<string, NewContact>();
  woken: (number | null)[] = [];
  audited = 0;
  home: Region = 'CN';

  run(text: string | Uint8Array, input: Partial<ImportFileInput> = {}): Promise<ImportResult> {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    return importFile(this.#deps(), systemCaller('t'), CAMPAIGN.id, {
      fileName: 'a.csv',
      bytes,
      carrier: [],
      landline: 'allow',
      dryRun: false,
      ...input,
    });
  }

  #deps(): Parameters<typeof importFile>[0] {
    return {
      clock: systemClock,
      region: this.home,
      timeZone: 'Asia/Shanghai',
      readWorkbook: async () => ({ rows: [], hiddenRows: 0, sheets: [] }),
      db: rowsOnly({ ...CAMPAIGN, status: this.status }),
      contacts: only<ContactStore>({
        add: async (_, contacts, { admit }) => {
          admit({ id: CAMPAIGN.id, status: this.statusAtLock ?? this.status });
          const fresh = contacts.filter(contact => !this.contacts.has(contact.dialKey));
          for (const contact of fresh) this.contacts.set(contact.dialKey, contact);
          return { created: new Set(fresh.map(contact => contact.dialKey)), updated: new Map() };
        },
        foresee: async (_, contacts) => {
          const fresh = contacts.filter(contact => !this.contacts.has(contact.dialKey));
          return { created: new Set(fresh.map(contact => contact.dialKey)), updated: new Map() };
        },
      }),
      wake: { campaign: id => void this.woken.push(id) },
      audit: { record: async () => void (this.audited += 1) },
    };
  }
}

function row(index: number): string {
  return `138${String(index).padStart(8, '0')},客户${index}`;
}

describe('importing a file', () => {
  test('keeps names, remarks and metadata as text, formulas included [D6.3, D6.4]', async () => {
    const world = new World();
    const result = await world.run('手机号,姓名,备注,城市,空列\n138-0013-8000, 王小明 ,=1+1,"杭州,余杭",\n');
    expect(result).toEqual({ totalRows: 1, createdRows: 1, skippedRows: 0, duplicateRows: 0, failedRows: 0, errors: [] });
    expect([...world.contacts.values()]).toEqual([
      {
        phoneNumber: '138-0013-8000',
        dialKey: '+8613800138000',
        customerName: '王小明',
        remark: '=1+1',
        timeZone: '',
        externalId: '',
        numbers: [],
        zones: 'Asia/Shanghai',
        metadata: { 城市: '杭州,余杭' },
      },
    ]);
    expect(world).toMatchObject({ woken: [7], audited: 1 });
  });

  test('takes the time zone of a column, and refuses a row whose zone nobody knows [D8.8]', async () => {
    const world = new World();
    const result = await world.run('手机号,时区\n13800138000,Europe/Paris\n13800138001,\n13800138002,Mars/Olympus\n');
    expect(result).toMatchObject({ createdRows: 2, failedRows: 1 });
    expect(result.errors).toMatchObject([{ rowNumber: 3, reason: '时区应为已知的 IANA 时区，例如 Asia/Shanghai' }]);
    expect([...world.contacts.values()].map(({ timeZone, zones }) => [timeZone, zones])).toEqual([
      ['Europe/Paris', 'Europe/Paris'],
      ['', 'Asia/Shanghai'],
    ]);
  });

  test('counts rows from 1 for the first data row; blank rows only advance the numbering [D6.5]', async () => {
    const result = await new World().run('phone\n13800138000\n\n,,\n123\n13800138000\n');
    expect(result).toMatchObject({ totalRows: 3, createdRows: 1, duplicateRows: 1, failedRows: 1, skippedRows: 2 });
    expect(result.errors).toMatchObject([
      { rowNumber: 4, phoneNumber: '123', reason: '不是地区 CN 的有效号码' },
      { rowNumber: 5, phoneNumber: '13800138000', reason: '号码与第 1 行重复' },
    ]);
  });

  test('a number already in the campaign is a duplicate, whatever its separators [D6.1, D6.5]', async () => {
    const world = new World();
    await world.run('phone\n13800138000');
    const result = await world.run('phone\n138 0013-8000\n13800138001');
    expect(result).toMatchObject({ totalRows: 2, createdRows: 1, duplicateRows: 1 });
    expect(result.errors).toEqual([
      {
        rowNumber: 1,
        phoneNumber: '138 0013-8000',
        reason: '号码已在该活动中',
        source: { column: 'phone', cells: expect.arrayContaining(['138 0013-8000']) },
      },
    ]);
  });

  test('every spelling of one number is one contact [D6.1]', async () => {
    const result = await new World().run('phone\n13800138000\n+86 13800138000\n8613800138000\n008613800138000');
    expect(result).toMatchObject({ createdRows: 1, duplicateRows: 3, failedRows: 0 });
  });

  test('a quote inside a cell is text, and a formula is not a number [OCS 4.7 rule 4, D6.4]', async () => {
    const world = new World();
    const result = await world.run(
      '手机号,姓名,备注\n13800138000,他说"好",=HYPERLINK("x")\n="13900341001",王,\n13800138001,"李"四,a\n,无,',
    );
    expect(result.errors).toMatchObject([
      { rowNumber: 2, phoneNumber: '="13900341001"', reason: '号码是表格软件的公式，请把该列设为文本格式后重新导出' },
      { rowNumber: 4, phoneNumber: '', reason: '号码为空' },
    ]);
    const texts = [...world.contacts.values()].map(({ customerName, remark }) => [customerName, remark]);
    expect(texts).toEqual([
      ['他说"好"', '=HYPERLINK("x")'],
      ['"李"四', 'a'],
    ]);
  });

  test.each([
    ['d0cf11e0a1b11ae1', '旧版 Excel'],
    ['255044462d312e37', 'PDF'],
    ['526172211a0700cf', 'RAR'],
  ])('a file that starts with %s is refused as %s [D6.3]', async (start, name) => {
    await expect(new World().run(Buffer.from(start, 'hex'))).rejects.toThrow(`参数错误：file 是${name}`);
  });

  test('a line that declares the separator is neither header nor row [D6.4]', async () => {
    const result = await new World().run('sep=;\r\nphone;name\r\n13800138000;a,b\r\n1;c');
    expect(result).toMatchObject({ createdRows: 1, errors: [{ rowNumber: 2 }] });
  });

  test('full-width digits and invisible characters in copied numbers are cleaned', async () => {
    const world = new World();
    await world.run("phone\n\u202d13800138000\u202c\n１３８００１３８００１\n'13800138002");
    expect([...world.contacts.keys()]).toEqual(['+8613800138000', '+8613800138001', '+8613800138002']);
  });

  test('a row with more cells than the header fails by itself', async () => {
    const result = await new World().run('phone,name\n13800138000,a,b\n13800138001');
    expect(result).toMatchObject({ createdRows: 1, failedRows: 1 });
    expect(result.errors[0]).toMatchObject({ rowNumber: 1, reason: '该行有 3 列，多于表头的 2 列' });
  });

  test('a NUL in a cell fails the row, not the import', async () => {
    const result = await new World().run('phone,name,城市\n13800138000,a\0b\n13800138001,c,\0');
    expect(result.errors.map(({ reason }) => reason)).toEqual(['含有不合法的字符', '含有不合法的字符']);
  });

  test('a column named __proto__ is treated like any other', async () => {
    const world = new World();
    await world.run('phone,__proto__\n13800138000,x');
    expect(JSON.stringify(world.contacts.get('+8613800138000')?.metadata)).toBe('{"__proto__":"x"}');
  });

  test('dryRun returns what would happen and writes nothing [D6.3]', async () => {
    const world = new World();
    await world.run('phone\n13800138000');
    const result = await world.run('phone\n13800138000\n13800138001\nx', { dryRun: true });
    expect(result).toMatchObject({ totalRows: 3, createdRows: 1, duplicateRows: 1, failedRows: 1 });
    expect(world).toMatchObject({ woken: [7], audited: 1 });
    expect(world.contacts.size).toBe(1);
  });

  test.each([
    ['', '是空文件'],
    ['\ufeff', '是空文件'],
    ['\n\n', '是空文件'],
    ['phone\n', '只有表头，没有数据行'],
    ['城市\n杭州', '表头中没有号码列'],
    ['phone,name\n13800138000,"王', '的引号没有闭合'],
  ])('refuses %j: %s [OCS 4.7 rule 4]', async (text, reason) => {
    const world = new World();
    await expect(world.run(text)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'file',
      message: expect.stringContaining(reason),
    });
    expect(world.contacts.size).toBe(0);
  });

  test('accepts 10,000 rows and refuses one more [OCS 4.7 rule 4, OCS §8]', async () => {
    const rows = Array.from({ length: 10_001 }, (_, index) => row(index));
    await expect(new World().run(`phone,name\n${rows.slice(0, 10_000).join('\n')}\n,\n,\n`)).resolves.toMatchObject({
      createdRows: 10_000,
    });
    const world = new World();
    await expect(world.run(`phone,name\n${rows.join('\n')}`)).rejects.toThrow('参数错误：file 最多 10000 行数据');
    expect(world.contacts.size).toBe(0);
  });

  test('a file of endless blank rows is refused without being read to its end', async () => {
    await expect(new World().run(`phone\n${'\n'.repeat(250_000)}`)).rejects.toThrow('空行过多');
  });

  test('lists at most 1,000 errors and counts them all [D6.5]', async () => {
    const result = await new World().run(`phone\n${'1\n'.repeat(1_500)}`);
    expect(result.failedRows).toBe(1_500);
    expect(result.errors).toHaveLength(1_000);
    expect(result.errors.at(-1)?.rowNumber).toBe(1_000);
  });

  test('a running campaign accepts no file [OCS 4.7 rule 2]', async () => {
    const world = new World();
    world.status = 'running';
    await expect(world.run('phone\n13800138000')).rejects.toMatchObject({ code: 'CAMPAIGN_RUNNING' });
  });

  test('a campaign started while the file was read accepts no file either [OCS 4.7 rule 2]', async () => {
    const world = new World();
    world.statusAtLock = 'running';
    await expect(world.run('phone\n13800138000')).rejects.toMatchObject({ code: 'CAMPAIGN_RUNNING' });
    expect(world).toMatchObject({ audited: 0, woken: [] });
  });

  test('the carrier option is refused for other regions [D6.3]', async () => {
    await expect(new World().run('phone\n1', { region: 'US', carrier: ['mobile'] })).rejects.toThrow('参数错误：carrier');
    await expect(new World().run('phone\n1', { region: 'ZZ' })).rejects.toThrow('参数错误：region');
  });

  test('stores a number of another region so that it means the same person here, and asks for the region of the installation first [D6.1]', async () => {
    const world = new World();
    await world.run('phone\n(212) 555-0100', { region: 'US' });
    expect([...world.contacts.values()]).toMatchObject([{ phoneNumber: '+12125550100', dialKey: '+12125550100' }]);
    const american = new World();
    american.home = 'US';
    await american.run('phone\n(212) 555-0100');
    expect([...american.contacts.values()]).toMatchObject([{ phoneNumber: '(212) 555-0100', dialKey: '+12125550100' }]);
    for (const { phoneNumber, dialKey: key } of world.contacts.values()) expect(dialKey(phoneNumber, 'CN')).toBe(key);
  });

  test("a number that a spreadsheet would compute comes back without the export's apostrophe [D6.4]", async () => {
    const world = new World();
    await world.run("phone\n'-13800138000\n'＋8613800138001\n'－13800138002");
    expect([...world.contacts.keys()]).toEqual(['+8613800138000', '+8613800138001', '+8613800138002']);
  });

  test('a large file is read in slices that let other work run', async () => {
    let turns = 0;
    let done = false;
    const count = () => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    await new World().run(`phone,name\n${Array.from({ length: 10_000 }, (_, index) => row(index)).join('\n')}`);
    done = true;
    expect(turns).toBeGreaterThan(10);
  });
});

describe('counts of an import', () => {
  const cell = fc.oneof(
    fc.integer({ min: 0, max: 30 }).map(index => `138${String(index).padStart(8, '0')}`),
    fc.integer({ min: 0, max: 30 }).map(index => `138-0000-${String(index).padStart(4, '0')}`),
    fc.constantFrom('1.39E+10', 'abc', '12', '010-65551234', '=1', '"', ''),
    fc.string({ maxLength: 12 }),
  );
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

  test('totalRows = createdRows + duplicateRows + failedRows; skippedRows = duplicateRows + failedRows [OCS 2.7]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 40 }), fc.array(cell, { maxLength: 10 }), async (numbers, known) => {
        const world = new World();
        const file = (cells: readonly string[]) => `phone,name\n${cells.map(text => `${quoted(text)},"x"`).join('\n')}`;
        if (known.length > 0) await world.run(file(known));
        const before = world.contacts.size;
        const preview = await world.run(file(numbers), { dryRun: true });
        const result = await world.run(file(numbers));
        expect(result.totalRows).toBe(numbers.length);
        expect(result.totalRows).toBe(result.createdRows + result.duplicateRows + result.failedRows);
        expect(result.skippedRows).toBe(result.duplicateRows + result.failedRows);
        expect(result.errors).toHaveLength(result.skippedRows);
        expect(world.contacts.size - before).toBe(result.createdRows);
        expect(preview).toEqual(result);
      }),
      { numRuns: 200 },
    );
  });
});
