import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Role } from '#kernel/caller.ts';
import { pageProof } from '#platform/http/session-cookie.ts';
import { STATE_FOLDER } from '#tools/commands/project.ts';
import { browserPath } from '#tools/services/browser.ts';

/** Limit of a wait, ms: a wait whose condition is never met fails with its own name, well before Jest's time-out. */
const WAIT_MS = 45_000;
/** Folder for screenshots of failed tests; not tracked in the repository. */
export const FAILURES = join(STATE_FOLDER, 'browser-failures');

export interface PageOptions {
  /** Role of the signed-in user: null for none, the administrator by default. */
  as?: Role | null;
  /** Chinese by default. */
  locale?: 'zh-CN' | 'en-US';
  theme?: 'light' | 'dark';
  /** Time zone of the browser; that of this machine by default. */
  timeZone?: string;
  width?: number;
  height?: number;
  /** Browser errors that the test provokes, such as the one logged for each refused request. */
  expects?: readonly RegExp[];
}

/** Opens the console at this path in a new tab with its own session and storage. */
export type OpenPage = (path: string, options?: PageOptions) => Promise<Page>;

export interface Place {
  url: string;
  /** Token of a new session of a user with this role. */
  tokenOf(role: Role): Promise<string>;
}

/** The pages that one test opened. */
export interface Browsing {
  open: OpenPage;
  /** Errors: Error listing the unexpected errors that the browser reported on any page */
  requireCalm(): void;
  /** Saves a screenshot of each page and returns the file names. */
  takePictures(name: string): Promise<string[]>;
  close(): Promise<void>;
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = browserPath(process.env);
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** Opens and checks pages of the console at `place`. */
export function browsing(browser: Browser, place: Place): Browsing {
  const opened: { context: BrowserContext; page: Page; complaints: string[]; expects: readonly RegExp[] }[] = [];
  return {
    async open(path, options = {}) {
      const { as = 'admin', locale = 'zh-CN', theme = 'light', width = 1440, height = 900, timeZone, expects = [] } = options;
      const looks = { locale, colorScheme: theme, viewport: { width, height }, reducedMotion: 'reduce' } as const;
      const context = await browser.newContext({ ...looks, ...(timeZone === undefined ? {} : { timezoneId: timeZone }) });
      if (as !== null) await signIn(context, { url: place.url, token: await place.tokenOf(as), name: as });
      const page = await context.newPage();
      page.setDefaultTimeout(WAIT_MS);
      const complaints: string[] = [];
      opened.push({ context, page, complaints, expects });
      page.on('pageerror', error => complaints.push(error.message));
      page.on('console', message => message.type() === 'error' && complaints.push(`${message.text()} ${message.location().url}`));
      await page.goto(place.url + path);
      return page;
    },
    requireCalm() {
      const unexpected = opened.flatMap(({ complaints, expects }) => complaints.filter(text => !expects.some(one => one.test(text))));
      if (unexpected.length > 0) throw new Error(`the browser complains:\n${unexpected.join('\n')}`);
    },
    async takePictures(name) {
      await mkdir(FAILURES, { recursive: true });
      const paths = opened.map((_, index) => join(FAILURES, `${name.replaceAll(/[^\w一-龥]+/g, '-').slice(0, 100)}-${index + 1}.png`));
      await Promise.allSettled(opened.map(({ page }, index) => page.screenshot({ path: paths[index] ?? '' })));
      return paths;
    },
    async close() {
      await Promise.allSettled(opened.map(({ context }) => context.close()));
    },
  };
}

/** Starts the browser signed in, once: after a sign-out it stays signed out. */
export async function signIn(context: BrowserContext, { url, token, name }: { url: string; token: string; name: string }): Promise<void> {
  await context.addCookies([{ name: 'callout_session', value: token, url, httpOnly: true, sameSite: 'Strict' }]);
  const session = JSON.stringify(JSON.stringify({ proof: pageProof(token), name }));
  const content = `if (!localStorage.getItem('test.begun')) {
    localStorage.setItem('test.begun', 'yes');
    localStorage.setItem('callout.session', ${session});
  }`;
  await context.addInitScript({ content });
}
