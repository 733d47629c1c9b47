import { describe, expect } from '@jest/globals';
import { sql } from 'kysely';
import { browserSuite } from '#test/support/browser/browser-suite.ts';

const suite = browserSuite();
const { test } = suite;
const TEST_MS = 90_000;

describe('user and agent in one form [D12.12]', () => {
  test(
    'a new user gets a new agent; a taken extension is shown at its field and makes nobody',
    async ({ open, rig }) => {
      await rig.ask('POST', '/api/agents', { name: '占用者', phoneExtension: '7001' });
      const page = await open('/users?open=new');
      const drawer = page.getByRole('dialog');
      await drawer.getByRole('textbox', { name: '用户名' }).fill('zhou');
      await drawer.getByRole('textbox', { name: '显示名' }).fill('周琳');
      await drawer.getByRole('textbox', { name: '密码', exact: true }).fill('password-of-zhou');
      const agent = drawer.getByRole('group', { name: '坐席' });
      await agent.getByRole('textbox', { name: '分机' }).fill('7001');
      await drawer.getByRole('button', { name: '新建用户' }).click();
      await agent.getByText('该分机已分配给另一坐席').waitFor();
      expect((await rig.ask('GET', '/api/users?q=zhou')).data.total).toBe(0);
      await agent.getByRole('textbox', { name: '分机' }).fill('70 02');
      await drawer.getByRole('button', { name: '新建用户' }).click();
      await agent
        .getByText(/只能|必须|字符/)
        .first()
        .waitFor();
      await agent.getByRole('textbox', { name: '分机' }).fill('7002');
      await drawer.getByRole('button', { name: '新建用户' }).click();
      await drawer.waitFor({ state: 'hidden' });
      await page.getByRole('row', { name: /周琳/ }).waitFor();
      const { agents } = (await rig.ask('GET', '/api/agents')).data;
      const [user] = (await rig.ask('GET', '/api/users?q=zhou')).data.rows;
      expect(agents).toContainEqual(expect.objectContaining({ name: '周琳', phoneExtension: '7002', userId: user.id }));
    },
    TEST_MS,
  );

  test(
    'a new user takes an agent that has none; an administrator is asked for none',
    async ({ open, rig }) => {
      const { agent: free } = (await rig.ask('POST', '/api/agents', { name: '待分配', phoneExtension: '7010' })).data;
      const page = await open('/users?open=new', { locale: 'en-US' });
      const drawer = page.getByRole('dialog');
      await drawer.getByRole('textbox', { name: 'User name' }).fill('wu');
      await drawer.getByRole('textbox', { name: 'Password', exact: true }).fill('password-of-wu');
      await drawer.getByText('Existing agent', { exact: true }).click();
      await drawer.getByRole('group', { name: 'Agent' }).getByRole('combobox').click();
      await page.getByRole('option', { name: '待分配 · 7010' }).click();
      await drawer.getByRole('button', { name: 'New user' }).click();
      await drawer.waitFor({ state: 'hidden' });
      const { agents } = (await rig.ask('GET', '/api/agents')).data;
      expect(agents.find(({ id }: { id: number }) => id === free.id)).toMatchObject({ userId: expect.any(Number) });

      await page.goto(`${new URL(page.url()).origin}/users?open=new`);
      await drawer.getByLabel(/^Role/).and(drawer.locator('input')).first().click();
      await page.getByRole('option', { name: 'Administrator' }).click();
      await drawer.getByRole('group', { name: 'Agent' }).waitFor({ state: 'detached' });
    },
    TEST_MS,
  );

  test(
    'a new agent gets a new user',
    async ({ open, rig }) => {
      const page = await open('/agents?open=new');
      const drawer = page.getByRole('dialog');
      await drawer.getByRole('textbox', { name: '姓名' }).fill('郑凯');
      await drawer.getByRole('textbox', { name: '分机' }).fill('7020');
      await drawer.getByRole('combobox', { name: '用户' }).click();
      await page.getByRole('option', { name: '新用户' }).click();
      const user = drawer.getByRole('group', { name: '新用户' });
      await user.getByRole('textbox', { name: '用户名' }).fill('zheng');
      await user.getByRole('textbox', { name: '密码' }).fill('short');
      await drawer.getByRole('button', { name: '新建坐席' }).click();
      await user.getByText('长度不能小于 8 个字符').waitFor();
      await user.getByRole('textbox', { name: '密码' }).fill('password-of-zheng');
      await drawer.getByRole('button', { name: '新建坐席' }).click();
      await drawer.waitFor({ state: 'hidden' });
      await page.getByRole('row', { name: /郑凯/ }).waitFor();
      const [row] = (await rig.ask('GET', '/api/users?q=zheng')).data.rows;
      expect(row).toMatchObject({ displayName: '郑凯', role: 'agent' });
    },
    TEST_MS,
  );
});

describe('ranges of days', () => {
  test(
    'are chosen by preset or bound, in the business time zone, and stand in the address',
    async ({ open, rig }) => {
      const database = rig.server.running.context.database;
      for (const [summary, at] of [
        ['很久以前', '2026-01-05T12:00:00+08:00'],
        ['第二天零点', '2026-01-06T00:00:00+08:00'],
      ])
        await database.run(sql`insert into audit_log (actor_id, actor_name, action, target_type, target_id, summary, created_at)
        values (null, 'x', 'line.created', 'line', '1', ${summary}, ${at})`);
      const page = await open('/audit?q=x');
      await page.getByRole('button', { name: '时间范围：全部时间' }).click();
      const panel = page.getByRole('dialog', { name: '时间范围' });
      await panel.getByText('按业务时区 Asia/Shanghai').waitFor();
      await panel.getByLabel('开始', { exact: true }).fill('2026-01-05');
      await panel.getByLabel(/^结束/).first().fill('2026-01-05');
      await page.waitForURL(/from=2026-01-05&to=2026-01-05/);
      await page.keyboard.press('Escape');
      const table = page.getByRole('main');
      await table.getByText('很久以前').waitFor();
      await table.getByText('第二天零点').waitFor({ state: 'detached' });
      await page.reload();
      await table.getByText('很久以前').waitFor();
      await page.getByRole('button', { name: /^时间范围：/ }).click();
      await panel.getByLabel(/^结束/).first().fill('2026-01-01');
      await panel.getByText('结束早于开始').waitFor();
      await panel.getByRole('button', { name: '今天' }).click();
      await page.waitForURL(url => url.searchParams.get('span') === 'today' && !url.searchParams.has('from'));
      await table.getByText('很久以前').waitFor({ state: 'detached' });
    },
    TEST_MS,
  );
});
