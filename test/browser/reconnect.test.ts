import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type ServeRig, startServeRig } from '#test/support/serve-process.ts';
import { BUILD_MS } from '#test/support/browser/browser-suite.ts';
import { requireConsole } from '#test/support/browser/require-console.ts';
import { browsing, launchBrowser } from '#test/support/browser/browsing.ts';

/** Long enough for retries every few seconds on a machine that may stall, in ms. */
const PATIENCE_MS = 60_000;

const stack = new AsyncDisposableStack();
let rig: ServeRig;
let browser: Browser;

beforeAll(async () => {
  await requireConsole();
  [rig, browser] = await Promise.all([startServeRig({ talkMs: { minMs: 60_000, maxMs: 60_000 } }), launchBrowser()]);
  stack.defer(() => rig.close());
  stack.defer(() => browser.close());
}, BUILD_MS);

afterAll(() => stack.disposeAsync());

test('the server is killed and returns: a banner says how old the data are and disappears by itself, and the page continues', async () => {
  const first = await rig.serve();
  const pages = browsing(browser, { url: first.url, tokenOf: () => Promise.resolve(first.token) });
  stack.defer(() => pages.close());
  const page = await pages.open('/', { expects: [/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|WebSocket connection/] });
  await page.getByRole('region', { name: '当前通话' }).waitFor();
  const banner = page.getByRole('status').getByText('连接已中断');
  expect(await banner.count()).toBe(0);
  first.child.kill('SIGKILL');
  await banner.waitFor();
  // The data from before stay.
  await page.getByRole('region', { name: '当前通话' }).waitFor();
  const second = await rig.serve(Number(new URL(first.url).port));
  await banner.waitFor({ state: 'hidden', timeout: PATIENCE_MS });
  await rig.start(second, 4, { name: '重连之后的活动' });
  await page.getByRole('main').getByRole('link', { name: '重连之后的活动' }).waitFor();
  pages.requireCalm();
  second.child.kill('SIGKILL');
  await once(second.child, 'exit');
}, 150_000);

/** The users' page streams nothing of its own. */
test.each(['/', '/users'])(
  'a hung server is reported as gone within 10 s on %s, and the page continues when it responds again',
  async path => {
    const server = await rig.serve();
    const pages = browsing(browser, { url: server.url, tokenOf: () => Promise.resolve(server.token) });
    stack.defer(() => pages.close());
    const page = await pages.open(path, { expects: [/WebSocket connection/] });
    const socket = page.waitForEvent('websocket');
    await page.reload();
    await (await socket).waitForEvent('framereceived');
    await page.getByRole('main').getByRole('link').first().waitFor();
    const banner = page.getByRole('status').getByText('连接已中断');
    const stoppedAt = performance.now();
    server.child.kill('SIGSTOP');
    await banner.waitFor();
    expect(performance.now() - stoppedAt).toBeLessThan(10_000);
    // It keeps hanging while the page retries.
    await page.waitForEvent('websocket');
    server.child.kill('SIGCONT');
    await banner.waitFor({ state: 'hidden', timeout: PATIENCE_MS });
    await page.goto(`${server.url}/`);
    await rig.start(server, 1, { name: `重连之后的活动 ${path}` });
    await page
      .getByRole('main')
      .getByRole('link', { name: `重连之后的活动 ${path}` })
      .waitFor();
    pages.requireCalm();
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');
  },
  150_000,
);
