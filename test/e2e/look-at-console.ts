import { readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { browserPath } from '#tools/services/browser.ts';

/**
 * Opens the printed address in a browser like a new user: signs in with the printed password, finds the campaign, stops it and starts it
 * again.
 *
 * Usage: node look-at-console.ts <output of npm start>; exit code 1 when something is missing, or the browser logs an error
 */
const WAIT_MS = 20_000;
const PRINTED = /Open (?<url>http:\S+) and sign in: user (?<username>\S+), password (?<password>\S+)/;
const CAMPAIGN = '春季回访';

const printed = PRINTED.exec(readFileSync(process.argv[2] ?? '', 'utf8'))?.groups;
if (!printed?.['url'] || !printed['username'] || !printed['password']) throw new Error('no address was printed');
const { url, username, password } = printed;

const browser = await chromium.launch({
  executablePath: browserPath(process.env),
  args: ['--no-sandbox'],
});
try {
  await look(browser);
} finally {
  await browser.close();
}

async function look(opened: Browser): Promise<void> {
  const context = await opened.newContext({ locale: 'zh-CN' });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const complaints: string[] = [];
  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(url ?? '');
  await signIn(page, 'a wrong password');
  await page.getByRole('alert').getByText('用户名或密码错误').waitFor();
  await signIn(page, password ?? '');
  await page.getByRole('region', { name: '当前通话' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: CAMPAIGN }).click();
  await page.getByRole('button', { name: '暂停', exact: true }).click();
  await page.getByText('已暂停', { exact: true }).first().waitFor();
  await page.getByRole('heading', { name: '启动检查' }).waitFor();
  await page.getByRole('button', { name: '继续', exact: true }).click();
  await page.getByText('运行中', { exact: true }).first().waitFor();
  // A copied URL opens the same.
  await page.reload();
  await page.getByRole('heading', { name: CAMPAIGN }).waitFor();
  await page.getByRole('button', { name: '管理员' }).click();
  await page.getByText('English').click();
  await page.getByRole('link', { name: 'Campaigns' }).click();
  await page.getByRole('cell', { name: CAMPAIGN }).waitFor();
  await makeCampaign(page);
  await followCall(page);
  // The browser logs the refused sign-in itself.
  const unexpected = complaints.filter(text => !text.includes('401'));
  if (unexpected.length > 0) throw new Error(`the browser complains:\n${unexpected.join('\n')}`);
}

/** A campaign of the user's own, from the form to its page, which says what is missing. */
async function makeCampaign(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New campaign' }).click();
  await page.getByRole('heading', { name: 'New campaign' }).waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('My first campaign');
  await page.getByRole('combobox', { name: 'Business' }).click();
  await page.getByRole('option', { name: CAMPAIGN }).click();
  // The only line there is.
  await page.getByText('示例线路').first().waitFor();
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await page.getByRole('heading', { name: 'My first campaign' }).waitFor();
  await page.getByText('No contacts to dial').first().waitFor();
}

/** From the campaign to a contact, and from there to its transcript. */
async function followCall(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Campaigns' }).click();
  await page.getByRole('link', { name: CAMPAIGN }).click();
  await page.getByRole('tab', { name: 'Calls' }).click();
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'Completed' }).click();
  const calls = page.getByRole('region', { name: 'Calls' });
  // Until the answer comes, calls that still ring are first.
  await calls.getByRole('row', { name: 'Completed' }).first().getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  // Not every customer speaks; the bot does.
  await page.getByRole('region', { name: 'Transcript' }).getByRole('listitem').first().waitFor();
}

async function signIn(page: Page, given: string): Promise<void> {
  await page.getByLabel('用户名').fill(username ?? '');
  await page.getByRole('textbox', { name: '密码' }).fill(given);
  await page.getByRole('button', { name: '登录' }).click();
}
