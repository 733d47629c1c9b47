import { type Browser, type BrowserServer, chromium, type CDPSession, type Page } from 'playwright-core';
import { cpuMsOf } from '#bench/support/measure.ts';
import { type Clock, sleep } from '#kernel/clock.ts';
import { BROWSER, browserPath } from '#tools/services/browser.ts';
import { installPrograms, systemInstallation } from '#tools/services/install.ts';

/** Cost of one page while it was measured. */
export interface PageFigures {
  /** Painted frames per second. */
  framesPerSecond: number;
  /** Longest task of the page's main thread, in ms; 0: none above 50. */
  longestTaskMs: number;
  /** Tasks above 50 ms. */
  longTasks: number;
  /** Share of one core: the page's main thread. */
  mainThreadShare: number;
  /** Share of one core: all processes of the browser, rendering included. */
  browserShare: number;
}

const WIDTH = 1_920;
const HEIGHT = 1_080;
const MIB = 2 ** 20;

/** A browser with its process id, so that its processes can be measured. */
export async function openBrowser(stack: AsyncDisposableStack): Promise<{ browser: Browser; pid: number | undefined }> {
  await installPrograms(
    [BROWSER],
    systemInstallation(process.env, line => process.stderr.write(`${line}\n`)),
  );
  const executablePath = browserPath(process.env);
  const server: BrowserServer = await chromium.launchServer({ executablePath, args: ['--no-sandbox'] });
  stack.defer(() => server.close());
  const browser = await chromium.connect(server.wsEndpoint());
  return { browser, pid: server.process().pid };
}

/** Opens a signed-in tab at `path`. */
export async function openPage(browser: Browser, url: string, { token, path }: { token: string; path: string }): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: WIDTH, height: HEIGHT }, locale: 'zh-CN' });
  const session = JSON.stringify(JSON.stringify({ token, name: 'bench' }));
  await context.addInitScript({ content: `sessionStorage.setItem('callout.session', ${session});${WATCH}` });
  const page = await context.newPage();
  await page.goto(url + path);
  return page;
}

/** Runs inside the page: counts frames, and records tasks longer than 50 ms. */
const WATCH = `
  globalThis.watched = { frames: 0, tasks: [] };
  const count = () => { globalThis.watched.frames += 1; requestAnimationFrame(count); };
  requestAnimationFrame(count);
  new PerformanceObserver(list => { for (const { duration } of list.getEntries()) globalThis.watched.tasks.push(duration); })
    .observe({ type: 'longtask', buffered: false });`;

/** Measures the page for `seconds`. */
export async function watchPage(
  page: Page,
  { pid, seconds, clock }: { pid: number | undefined; seconds: number; clock: Clock },
): Promise<PageFigures> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.evaluate('globalThis.watched = { frames: 0, tasks: [] }');
  const [startedAt, cpuBefore, busyBefore] = [clock.monotonic(), cpuMsOf(pid), await busySeconds(session)];
  await sleep(clock, seconds * 1_000);
  const ranSeconds = (clock.monotonic() - startedAt) / 1_000;
  const { frames, tasks } = (await page.evaluate('globalThis.watched')) as { frames: number; tasks: number[] };
  const busy = (await busySeconds(session)) - busyBefore;
  const cpu = cpuMsOf(pid) - cpuBefore;
  return {
    framesPerSecond: frames / ranSeconds,
    longestTaskMs: Math.max(0, ...tasks),
    longTasks: tasks.length,
    mainThreadShare: busy / ranSeconds,
    browserShare: cpu / 1_000 / ranSeconds,
  };
}

/** JavaScript heap of the page after a collection, in MiB. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.collectGarbage');
  const used = await metric(session, 'JSHeapUsedSize');
  await session.detach();
  return used / MIB;
}

/** Duration of the main thread's tasks since the page opened, in s: CPU and waiting for it. */
function busySeconds(session: CDPSession): Promise<number> {
  return metric(session, 'TaskDuration');
}

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(each => each.name === name)?.value ?? Number.NaN;
}
