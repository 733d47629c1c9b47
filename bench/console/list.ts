import type { Browser, Page } from 'playwright-core';
import { loadRows } from '#bench/lists/load-rows.ts';
import { connectDatabase } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { type Clock, sleep } from '#kernel/clock.ts';
import type { BenchContext } from '#tools/commands/bench-context.ts';
import { openPage, type PageFigures, watchPage } from './page.ts';

/** Total of all campaigns. */
export const CONTACTS = 100_000;
const LOAD_TIMEOUT_MS = 600_000;
/** Scrolling as fast as possible: twenty wheel notches a second, about sixty rows. */
const WHEEL = { everyMs: 50, px: 120 };
const SETTLE_MS = 2_000;
const LOOK_EVERY_MS = 20;
const MAX_LOOKS = 500;
/** Each search term matches other rows than the one before. */
const TYPED = '王 张 李 刘 陈 杨 黄 赵 周 吴 138 139 150 186 王伟 张芳 李娜 刘敏 陈静 杨丽'.split(' ');

/** Cost of scrolling a long list, and the latency of its search. */
export interface ListFigures {
  scrolled: PageFigures;
  /** Rows loaded during the scrolling. */
  rows: number;
  /** Latencies from a keystroke to the first matching row, in ms, sorted. */
  answers: number[];
}

/** The list of 100,000 contacts in a browser: scrolls for `seconds`, then searches. */
export async function watchList(
  context: BenchContext,
  browser: Browser,
  { url, token, pid, seconds, clock }: { url: string; token: string; pid: number | undefined; seconds: number; clock: Clock },
): Promise<ListFigures> {
  const database = await connectDatabase({
    entities: ENTITIES,
    url: context.databaseUrl,
    poolSize: 2,
    statementTimeoutMs: LOAD_TIMEOUT_MS,
  });
  try {
    await loadRows(database, { contacts: CONTACTS, attempts: 0, print: line => context.print(line) });
  } finally {
    await database.close();
  }
  const page = await openPage(browser, url, { token, path: '/contacts' });
  await page.locator('tbody button.link').first().hover();
  await page.waitForTimeout(SETTLE_MS);
  const [scrolled] = await Promise.all([watchPage(page, { pid, seconds, clock }), scroll(page, seconds, clock)]);
  const rows = Number(await page.locator('table[aria-rowcount]').getAttribute('aria-rowcount'));
  const answers: number[] = [];
  for (const text of TYPED) answers.push(await answerTo(page, text));
  await page.context().close();
  return { scrolled, rows, answers: answers.sort((one, other) => one - other) };
}

async function scroll(page: Page, seconds: number, clock: Clock): Promise<void> {
  const until = clock.monotonic() + seconds * 1_000;
  while (clock.monotonic() < until) {
    await page.mouse.wheel(0, WHEEL.px);
    await sleep(clock, WHEEL.everyMs);
  }
}

/** Latency from the keystroke to the frame in which another row is first, in ms. */
async function answerTo(page: Page, text: string): Promise<number> {
  await page.evaluate(WAIT_FOR_ANSWER);
  await page.getByRole('searchbox').first().fill(text);
  // The console's CSP forbids waiting with a string that is evaluated in the page.
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const answeredMs: unknown = await page.evaluate('globalThis.answeredMs');
    if (typeof answeredMs === 'number') return answeredMs;
    await page.waitForTimeout(LOOK_EVERY_MS);
  }
  throw new Error(`no other row stands first after ${text} was typed`);
}

/** Runs inside the page. */
const WAIT_FOR_ANSWER = `
  (() => {
    globalThis.answeredMs = undefined;
    const firstRow = () => document.querySelector('tbody button.link')?.textContent;
    const before = firstRow();
    document.addEventListener('input', () => {
      const typedAt = performance.now();
      const look = () => {
        const now = firstRow();
        if (now !== undefined && now !== before) globalThis.answeredMs = performance.now() - typedAt;
        else requestAnimationFrame(look);
      };
      look();
    }, { once: true, capture: true });
  })()`;
