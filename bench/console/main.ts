import { numberOption } from '#bench/support/measure.ts';
import { processFolder, startServe } from '#bench/support/server-process.ts';
import { oneSessionServer, openSession } from '#bench/support/session.ts';
import { systemClock } from '#kernel/clock.ts';
import type { Bench } from '#tools/commands/bench-context.ts';
import { buildConsole } from '#tools/commands/build-console.ts';
import { openBrowser, openPage, type PageFigures, watchPage } from './page.ts';
import { openTalks, speak } from './talks.ts';

const CALLS = 1_000;
const CAPTIONS_PER_SECOND = 500;
const SECONDS = 30;
/** The page loads and shows its first snapshot meanwhile. */
const SETTLE_MS = 5_000;
/** A busy machine takes its time. */
const FIRST_VIEW_MS = 120_000;

const PAGES = [
  { name: 'live', path: '/live', shows: 'article' },
  { name: 'live as rows', path: '/live?view=rows', shows: 'tbody tr button' },
  { name: 'wall', path: '/', shows: 'section' },
];

/** The console in a real browser while 1,000 calls go on and 500 captions a second come: frames, long tasks, CPU, memory. */
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
  const seconds = 60 * numberOption(context.args, 'minutes', numberOption(context.args, 'seconds', SECONDS) / 60);
  const { browser, pid } = await openBrowser(stack);
  const ending = new AbortController();
  const startedAt = clock.monotonic();
  const speaking = speak(url, calls, perSecond, { clock, signal: ending.signal });
  // Told below, where it is waited for.
  speaking.catch(() => undefined);
  const figures = new Map<string, PageFigures>();
  for (const { name, path, shows } of PAGES) {
    const page = await openPage(browser, url, { token, path });
    await page.locator(shows).first().waitFor({ timeout: FIRST_VIEW_MS });
    await page.waitForTimeout(SETTLE_MS);
    figures.set(name, await watchPage(page, { pid, seconds, clock }));
    await page.context().close();
  }
  ending.abort();
  const rate = (await speaking) / ((clock.monotonic() - startedAt) / 1_000);
  return {
    bench: 'console',
    ratios: [],
    figures: [
      { what: `captions a second into ${calls.length} calls`, value: rate, unit: '/s', bar: { atLeast: perSecond * 0.95 } },
      ...[...figures].flatMap(([name, each]) => report(name, each)),
    ],
  };
};

function report(name: string, { framesPerSecond, longestTaskMs, longTasks, mainThreadShare, browserShare, heapMiB }: PageFigures) {
  const [first = 0] = heapMiB;
  const last = heapMiB.at(-1) ?? 0;
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
    { what: `${name}: heap after a collection, first`, value: first, unit: 'MiB' },
    { what: `${name}: heap after a collection, last / first`, value: last / first, unit: '×', bar: { atMost: 1.25 } },
  ];
}
