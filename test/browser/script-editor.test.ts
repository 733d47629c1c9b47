import { expect } from '@jest/globals';
import { BUSINESS, browserSuite } from '#test/support/browser/browser-suite.ts';
import type { DispatchRig } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** Timeout of flows over several pages, on a machine with other load, in ms. */
const TEST_MS = 200_000;

const { test } = browserSuite();

test(
  'from nothing: a business, a script from a template, a fault shown at its node and mended, a trial, its publication, a campaign with it',
  async ({ open, rig }) => {
    await rig.ask('POST', '/api/lines', {
      name: '上海一线',
      code: 'SH1',
      dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
      maxConcurrency: 2,
      allocationMode: 'single_shared',
    });
    const page = await open('/businesses');
    await page.getByRole('button', { name: '新建业务' }).first().click();
    const business = page.getByRole('dialog', { name: '新建业务' });
    await business.getByLabel('名称').fill('预约提醒');
    await business.getByLabel('代码').fill('clinic');
    await business.getByRole('button', { name: '新建业务' }).click();
    await page.getByRole('row', { name: /预约提醒 clinic/ }).waitFor();
    await page
      .getByRole('row', { name: /演示 demo/ })
      .getByText('服务器配置')
      .waitFor();
    await page.getByRole('link', { name: '没有启用的话术，活动不能启动' }).click();

    const making = page.getByRole('dialog', { name: '新建话术' });
    await making.getByLabel('名称').fill('门诊预约');
    await making.getByLabel(/^预约确认/).check();
    await making.getByRole('button', { name: '新建话术' }).click();

    const graph = page.getByRole('region', { name: '话术流程图' });
    const side = page.getByRole('region', { name: '节点与话术' });
    await graph.getByText('核对预约').click();
    await side.getByLabel('名称').fill('核对时间');
    await page.getByText('草稿已保存').waitFor();
    // The only way out of a node is taken away: the server says so, at this node.
    await graph.getByText('改期', { exact: true }).click();
    await side.getByRole('button', { name: '去掉分支「其他」' }).click();
    await side.getByText(/永远不能到达/).waitFor();
    await graph.getByRole('img', { name: '1 处问题' }).first().waitFor();
    expect(await page.getByRole('button', { name: /^发布并启用/ }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: '撤销' }).click();
    await page.getByText('草稿已保存').waitFor();
    expect(await graph.getByRole('img', { name: /处问题/ }).count()).toBe(0);

    await side.getByText('试一试').click();
    await side.getByLabel('预约时间').fill('明天上午');
    await side.getByRole('button', { name: '开始' }).click();
    const talk = side.getByRole('list', { name: '试用对话' });
    await talk.getByText(/您预约了明天上午到门店/).waitFor();
    await side.getByLabel('您的回答').fill('我不去了，不需要');
    await side.getByRole('button', { name: '发送' }).click();
    await talk.getByText(/能否到场 → 客户拒绝/).waitFor();
    await talk.getByText('没关系，您希望改到什么时间？').waitFor();
    await talk.getByRole('button', { name: '存为测试' }).click();
    await page.getByText('「我不去了，不需要」已存为测试').waitFor();

    await page.getByRole('button', { name: /^发布并启用/ }).click();
    const asking = page.getByRole('dialog', { name: '发布「门诊预约」？' });
    await asking.getByText('1 句全部符合。').waitFor();
    await asking.getByLabel('原因').fill('第一版');
    await asking.getByRole('button', { name: '发布并启用' }).click();
    await page.getByRole('tab', { name: '启用记录' }).click();
    await page.getByRole('row', { name: /版本 2 .* 第一版/ }).waitFor();

    await page.goto(new URL('/campaigns/new', page.url()).href);
    await page.getByRole('textbox', { name: /^名称/ }).fill('十二月预约');
    await page.getByRole('combobox', { name: /^业务/ }).click();
    await page.getByRole('option', { name: '预约提醒', exact: true }).click();
    // The only line is chosen already.
    await page.getByText('上海一线').first().waitFor();
    await page.getByRole('button', { name: '新建活动' }).click();
    await page.getByRole('heading', { name: '十二月预约' }).waitFor();
  },
  TEST_MS,
);

test(
  'of two who edit one draft the later is asked whose counts',
  async ({ open, rig }) => {
    const { data } = await rig.ask('POST', '/api/v1/scripts', {
      name: '两人',
      businessCode: 'demo',
      isEnabled: 0,
      entryNodeId: 'start',
      nodes: [
        { id: 'start', type: 'start', name: '开始', config: {}, next: 'bye' },
        { id: 'bye', type: 'end', name: '道别', config: { text: '再见。' } },
      ],
    });
    const [one, two] = [await open(`/scripts/${data.script.id}/edit`), await open(`/scripts/${data.script.id}/edit`, { as: 'supervisor' })];
    const write = async (page: typeof one, text: string) => {
      await page.getByRole('region', { name: '话术流程图' }).getByText('道别').click();
      await page.getByLabel('说（直接写）').fill(text);
    };
    await write(one, '再见，祝您愉快。');
    await one.getByText('草稿已保存').waitFor();
    await write(two, '回头见。');
    await two.getByText('他人修改了这份草稿').waitFor();
    await two.getByRole('button', { name: '使用对方的' }).click();
    await two.getByRole('region', { name: '话术流程图' }).getByText('再见，祝您愉快。').waitFor();
  },
  TEST_MS,
);

test(
  'lines stay on the canvas when a class of answers is added and a branch gets a new node',
  async ({ open, rig }) => {
    const { data } = await rig.ask('POST', '/api/v1/scripts', {
      name: '推广',
      businessCode: 'demo',
      isEnabled: 0,
      entryNodeId: 'start',
      nodes: [
        { id: 'start', type: 'start', name: '开始', config: {}, next: 'ask' },
        { id: 'ask', type: 'collect', name: '询问', config: { text: '您有兴趣吗？' }, next: 'answer' },
        { id: 'answer', type: 'router', name: '判断意向', config: {}, next: 'bye' },
        { id: 'bye', type: 'end', name: '道别', config: { text: '再见。' } },
      ],
    });
    const page = await open(`/scripts/${data.script.id}/edit`);
    const graph = page.getByRole('region', { name: '话术流程图' });
    const side = page.getByRole('region', { name: '节点与话术' });
    const lines = graph.locator('.react-flow__edge');
    await graph.getByText('判断意向').click();
    expect(await lines.count()).toBe(3);

    await side.getByRole('button', { name: '添加分支' }).click();
    await side.getByLabel('分支名称').fill('有兴趣');
    await side.getByLabel('客户怎么说').fill('好啊、可以、多少钱');
    await side.getByRole('combobox', { name: '去往' }).click();
    await page.getByRole('option', { name: '结束', exact: true }).click();
    await side.getByRole('button', { name: '添加分支' }).click();
    await graph.getByText('有兴趣', { exact: true }).waitFor();
    await page.getByText('草稿已保存').waitFor();
    expect(await lines.count()).toBe(4);

    await side.getByText('话术与变量').click();
    await side.getByRole('button', { name: '客户回答的分类' }).click();
    await side.getByRole('button', { name: '添加分类' }).click();
    await page.getByText('草稿已保存').waitFor();
    expect(await lines.count()).toBe(4);
    await graph.getByRole('button', { name: '全部显示' }).click();
    expect(await graph.getByText('道别').isVisible()).toBe(true);
  },
  TEST_MS,
);

test(
  'a new script names the campaigns that it takes over and the version that goes out of use, and may be published alone',
  async ({ open, rig }) => {
    const { id } = await rig.campaign({ ...BUSINESS, contacts: ['13800000001'] });
    const { data } = await rig.ask('POST', '/api/v1/scripts', {
      name: '接替',
      businessCode: BUSINESS.businessCode,
      isEnabled: 0,
      entryNodeId: 'start',
      nodes: [
        { id: 'start', type: 'start', name: '开始', config: {}, next: 'bye' },
        { id: 'bye', type: 'end', name: '道别', config: { text: '再见。' } },
      ],
    });
    const page = await open(`/scripts/${data.script.id}/edit`);
    await page.getByRole('region', { name: '话术流程图' }).getByText('道别').click();
    await page.getByLabel('说（直接写）').fill('回头见。');
    await page.getByText('草稿已保存').waitFor();
    await page.getByRole('button', { name: /^发布并启用/ }).click();
    const asking = page.getByRole('dialog', { name: '发布「接替」？' });
    const taken = asking.getByRole('list', { name: '受影响的活动' });
    await taken.locator(`a[href="/campaigns/${id}"]`).waitFor();
    await taken.getByText('草稿').waitFor();
    await asking.getByText(/^「.+」第 \d+ 版将停止使用。$/).waitFor();
    await asking.getByRole('button', { name: '只发布，不启用' }).click();
    await page.getByText('「接替」版本 2 已发布，没有启用').waitFor();
    await page.getByText('已停用').first().waitFor();
    expect(await page.getByText('生效中').count()).toBe(0);
  },
  TEST_MS,
);

/** A script of so many sentences, one after the other. */
async function longScript(rig: DispatchRig, name: string, sentences: number): Promise<number> {
  const says = Array.from({ length: sentences }, (_, index) => {
    const [id, next] = [`say${index + 1}`, index + 1 === sentences ? 'bye' : `say${index + 2}`];
    return { id, type: 'send', name: `第${index + 1}句`, config: { text: `第${index + 1}句` }, next };
  });
  const start = { id: 'start', type: 'start', name: '开始', config: {}, next: 'say1' };
  const nodes = [start, ...says, { id: 'bye', type: 'end', name: '道别', config: { text: '再见。' } }];
  const given = { name, businessCode: BUSINESS.businessCode, isEnabled: 1, entryNodeId: 'start', nodes };
  return (await rig.ask('POST', '/api/v1/scripts', given)).data.script.id;
}

test(
  'a node that is added with none chosen is chosen and in view, and the graph fits its room when that changes',
  async ({ open, rig }) => {
    const page = await open(`/scripts/${await longScript(rig, '长话术', 8)}/edit`);
    const graph = page.getByRole('region', { name: '话术流程图' });
    const side = page.getByRole('region', { name: '节点与话术' });
    const isSeen = async (name: string) => {
      const [pane, card] = [await graph.boundingBox(), await graph.locator('.react-flow__node', { hasText: name }).boundingBox()];
      return pane !== null && card !== null && card.y >= pane.y && card.y + card.height <= pane.y + pane.height;
    };
    await graph.getByText('道别').waitFor();
    await side.getByRole('button', { name: /^转人工/ }).click();
    await expect(side.getByLabel('名称').inputValue()).resolves.toBe('转人工');
    await waitUntil('the new node in view', () => isSeen('转人工'));
    await page.setViewportSize({ width: 1100, height: 760 });
    await waitUntil('the whole graph in view', async () => (await isSeen('开始')) && isSeen('转人工'));
  },
  TEST_MS,
);

test(
  'a version of an enabled script is published alone, and campaigns go on with the one in force',
  async ({ open, rig }) => {
    const id = await longScript(rig, '试用中', 1);
    const page = await open(`/scripts/${id}/edit`);
    await page.getByRole('region', { name: '话术流程图' }).getByText('道别').click();
    await page.getByLabel('说（直接写）').fill('祝您愉快。');
    await page.getByText('草稿已保存').waitFor();
    await page.getByRole('button', { name: /^发布并启用/ }).click();
    await page.getByRole('dialog', { name: '发布「试用中」？' }).getByRole('button', { name: '只发布，不启用' }).click();
    await page.getByText('「试用中」版本 2 已发布；在「版本」中启用之前，活动继续使用版本 1').waitFor();
    const { data } = await rig.ask('GET', '/api/v1/scripts?q=试用中');
    expect(data.rows).toEqual([expect.objectContaining({ id, version: 1, isEnabled: 1 })]);
  },
  TEST_MS,
);
