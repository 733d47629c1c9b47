import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserSuite } from '#test/support/browser/browser-suite.ts';

const { test } = browserSuite();
const TEST_MS = 90_000;

const MIB = 1024 * 1024;
const NUMBER = '13911110001';
/** An unpaired surrogate half in UTF-16 without a byte order mark: neither UTF-8 nor GB18030. */
const NO_ENCODING = Buffer.from([0xff, 0x00, 0xff, 0x00, 0x0a, 0x80, 0xff, 0xff]);

interface BadFile {
  name: string;
  content: Buffer;
  reason: RegExp;
}

const FILES = {
  encoding: { name: '乱码.csv', content: NO_ENCODING, reason: /编码|字符/ },
  tooBig: {
    name: '很大.csv',
    content: Buffer.from(`手机号\n${`${NUMBER}\n`.repeat(Math.ceil((12 * MIB) / 12))}`),
    reason: /文件超过 5 MB/,
  },
  workbook: { name: '损坏.xlsx', content: Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(400, 7)]), reason: /损坏|不是/ },
  noNumber: { name: '没有号码.csv', content: Buffer.from('姓名,城市\n张三,上海\n'), reason: /号码/ },
} satisfies Record<string, BadFile>;

const give = (page: Page, { name, content }: BadFile) =>
  page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'application/octet-stream', buffer: content });

/** Each reason is the server's, or the page's own before it sends the file; none blames the connection. */
async function isTold(page: Page, { name, reason }: BadFile): Promise<void> {
  const alert = page.getByRole('main').getByRole('alert').or(page.getByRole('dialog').getByRole('alert'));
  await alert.filter({ hasText: reason }).first().waitFor();
  expect([name, await alert.filter({ hasText: /没有应答|连不上|fetch/ }).count()]).toEqual([name, 0]);
}

describe('a file that is refused as a whole says why [OCS 4.7 rule 4]', () => {
  test(
    'contacts of a campaign',
    async ({ open, rig }) => {
      const { id } = await rig.campaign();
      const page = await open(`/campaigns/${id}/import`, { expects: [/status of 413/] });
      for (const file of [FILES.encoding, FILES.tooBig, FILES.workbook]) {
        await give(page, file);
        await isTold(page, file);
      }
      // The user can name the column with the numbers.
      await give(page, FILES.noNumber);
      await page.getByRole('heading', { name: /没有号码/ }).waitFor();
    },
    TEST_MS,
  );

  test(
    'the do-not-call list',
    async ({ open }) => {
      const page = await open('/rules?tab=doNotCall&entry=import', { expects: [/status of 413/] });
      for (const file of [FILES.encoding, FILES.tooBig, FILES.workbook, FILES.noNumber]) {
        await give(page, file);
        if (file === FILES.noNumber) await page.getByRole('dialog').getByText('不能确定哪一列是号码，请选择').first().waitFor();
        else await isTold(page, file);
      }
    },
    TEST_MS,
  );

  test(
    'consents',
    async ({ open }) => {
      const page = await open('/rules?tab=consents&consent=import', { expects: [/status of 413/] });
      const dialog = page.getByRole('dialog');
      for (const file of Object.values(FILES)) {
        await give(page, file);
        await dialog.getByRole('button', { name: /导入/ }).last().click();
        await dialog.getByText(file.reason).first().waitFor();
        expect([file.name, await dialog.getByText(/没有应答|连不上|fetch/).count()]).toEqual([file.name, 0]);
      }
    },
    TEST_MS,
  );
});
