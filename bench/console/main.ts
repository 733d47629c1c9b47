import { numberOption } from '#bench/support/measure.ts';
import { processFolder, startServe } from '#bench/support/server-process.ts';
import { oneSessionServer, openSession } from '#bench/support/session.ts';
import type { Page } from 'playwright-core';
import { sleep, systemClock } from '#kernel/clock.ts';
import type { Figure } from '#tools/commands/bench-report.ts';
import type { Bench } from '#tools/commands/bench-context.ts';
import { buildConsole } from '#tools/commands/build-console.ts';
import { CONTACTS, type ListFigures, watchList } from './list.ts';
import { heapOf, openBrowser, openPage, type PageFigures, watchPage } from './page.ts';
import { openTalks, speak } from './talks.ts';

const CALLS = 1_000;
const CAPTIONS_PER_SECOND = 500;
const SECONDS = 30;
/** Duration of the memory measurement; a shorter one checks only that it runs, not that memory stays level. */
const MINUTES = 1;
/** Time for the page to load and show its first snapshot, in ms. */
const SETTLE_MS = 5_000;
/** Long, because the machine may be busy, in ms. */
const FIRST_VIEW_MS = 120_000;

const PAGES = [
  { name: 'live', path: '/live', shows: 'article' },
  { name: 'live as rows', path: '/live?view=rows', shows: 'tbody tr button' },
  { name: 'wall', path: '/', shows: 'section' },
];

/**
 * The console in a real browser with 1,000 live calls and 500 captions a second: frames, tasks and CPU page by page; then the memory of all
 * pages; then a long list.
 */
export const bench: Bench = async context => {
  await using stack = new AsyncDisposableStack();
  if ((await buildConsole(line => context.print(line))) !== 0) throw new Error('the console does not build');
  const clock = systemClock;
  const folder = await processFolder(stack);
  const serve = await startServe(folder, context, oneSessionServer());
  stack.defer(() => serve.stop());
  const url = `http://127.0.0.1:${serve.port}`;
  const token = await openSession(context.redisUrl);
  const calls = await openTalks(context, clock, numberOption(context.args, 'calls', CALLS));
  const perSecond = numberOption(context.args, 'captions', CAPTIONS_PER_SECOND);
  const seconds = numberOption(context.args, 'seconds', SECONDS);
  const minutes = numberOption(context.args, 'minutes', MINUTES);
  const { browser, pid } = await openBrowser(stack);
  const ending = new AbortController();
  const startedAt = clock.monotonic();
  const speaking = speak(url, calls, perSecond, { clock, signal: ending.signal });
  // The error is reported below, where `speaking` is awaited.
  speaking.catch(() => undefined);
  const figures = new Map<string, PageFigures>();
  const open = async ({ path, shows }: (typeof PAGES)[number]) => {
    const page = await openPage(browser, url, { token, path });
    await page.locator(shows).first().waitFor({ timeout: FIRST_VIEW_MS });
    await page.waitForTimeout(SETTLE_MS);
    return page;
  };
  for (const each of PAGES) {
    const page = await open(each);
    figures.set(each.name, await watchPage(page, { pid, seconds, clock }));
    await page.context().close();
  }
  const opened: { name: string; page: Page; heaps: number[] }[] = [];
  for (const each of PAGES) opened.push({ name: each.name, page: await open(each), heaps: [] });
  for (let minute = 0; minute <= minutes; minute++) {
    if (minute > 0) await sleep(clock, 60_000);
    for (const { page, heaps } of opened) heaps.push(await heapOf(page));
    context.print(
      `  minute ${minute} of ${minutes}: ${opened.map(({ name, heaps }) => `${name} ${heaps.at(-1)?.toFixed(1)} MiB`).join(', ')}`,
    );
  }
  ending.abort();
  const rate = (await speaking) / ((clock.monotonic() - startedAt) / 1_000);
  for (const { page } of opened) await page.context().close();
  const list = await watchList(context, browser, { url, token, pid, seconds, clock });
  return {
    bench: 'console',
    ratios: [],
    figures: [
      { what: `captions a second into ${calls.length} calls`, value: rate, unit: '/s', bar: { atLeast: perSecond * 0.95 } },
      ...[...figures].flatMap(([name, each]) => report(name, each)),
      ...opened.flatMap(({ name, heaps }) => memory(`${name}, ${minutes} minutes`, heaps)),
      ...reportList(list),
    ],
  };
};

function report(name: string, { framesPerSecond, longestTaskMs, longTasks, mainThreadShare, browserShare }: PageFigures): Figure[] {
  return [
    { what: `${name}: frames`, value: framesPerSecond, unit: '/s', bar: { atLeast: 58 } },
    { what: `${name}: longest task (0: none above 50 ms)`, value: longestTaskMs, unit: 'ms', bar: { atMost: 50 } },
    { what: `${name}: tasks above 50 ms`, value: longTasks, unit: 'tasks' },
    {
      what: `${name}: main thread, of one core (tasks by the clock: a busy machine counts too)`,
      value: mainThreadShare * 100,
      unit: '%',
      bar: { atMost: 35 },
    },
    { what: `${name}: the whole browser, which draws without a graphics card, of one core`, value: browserShare * 100, unit: '%' },
  ];
}

function reportList({ scrolled, rows, answers }: ListFigures): Figure[] {
  return [
    ...report(`${CONTACTS} contacts, scrolled`, scrolled),
    { what: `${CONTACTS} contacts: rows loaded while it was scrolled`, value: rows, unit: 'rows' },
    { what: `${CONTACTS} contacts: from a keystroke to its rows, median`, value: answers[answers.length >> 1] ?? Number.NaN, unit: 'ms' },
    {
      what: `${CONTACTS} contacts: the slowest of ${answers.length}`,
      value: answers.at(-1) ?? Number.NaN,
      unit: 'ms',
      bar: { atMost: 100 },
    },
  ];
}

/** The first minutes fill bounded buffers (captions, points of charts); after the first third memory must stay level. */
function memory(name: string, heaps: readonly number[]): Figure[] {
  const settled = heaps.slice(Math.floor(heaps.length / 3));
  const [first = Number.NaN] = settled;
  return [
    { what: `${name}: heap after a collection, from the first third on`, value: first, unit: 'MiB' },
    {
      what: `${name}: the same at the end / from the first third on`,
      value: (settled.at(-1) ?? Number.NaN) / first,
      unit: '×',
      bar: { atMost: 1.1 },
    },
  ];
}
