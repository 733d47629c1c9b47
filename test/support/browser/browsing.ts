import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Role } from '#rules/permissions.ts';
import { STATE_FOLDER } from '#tools/commands/project.ts';
import { browserPath } from '#tools/services/browser.ts';

/** Generous: a wait that is never met fails by its own name, well before jest's time-out. */
const WAIT_MS = 45_000;
/** Pictures of pages whose test failed; not kept in the repository. */
export const FAILURES = join(STATE_FOLDER, 'browser-failures');

export interface PageOptions {
  /** Who is signed in, null: nobody; the administrator when absent. */
  as?: Role | null;
  /** Chinese when absent. */
  locale?: 'zh-CN' | 'en-US';
  theme?: 'light' | 'dark';
  width?: number;
  height?: number;
  /** Complaints of the browser that belong to the test: it notes each answer that refuses. */
  expects?: readonly RegExp[];
}

/** Opens a page of the console at a path of its own; each in a tab that shares nothing with the others. */
export type OpenPage = (path: string, options?: PageOptions) => Promise<Page>;

export interface Place {
  url: string;
  /** Of a new session of a user with this role. */
  tokenOf(role: Role): Promise<string>;
}

/** Pages of one test. */
export interface Browsing {
  open: OpenPage;
  /** Errors: Error with what the browser complained of on any page */
  requireCalm(): void;
  /** Keeps a picture of each page; the names of the files. */
  takePictures(name: string): Promise<string[]>;
  close(): Promise<void>;
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = browserPath(process.env);
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** What a test does with pages of the console at `place`. */
export function browsing(browser: Browser, place: Place): Browsing {
  const opened: { context: BrowserContext; page: Page; complaints: string[]; expects: readonly RegExp[] }[] = [];
  return {
    async open(path, options = {}) {
      const { as = 'admin', locale = 'zh-CN', theme = 'light', width = 1440, height = 900, expects = [] } = options;
      const context = await browser.newContext({ locale, colorScheme: theme, viewport: { width, height }, reducedMotion: 'reduce' });
      if (as !== null) await context.addInitScript({ content: signedIn(as, await place.tokenOf(as)) });
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

/** The tab begins with a session, as after a sign-in; who signs out stays signed out. */
function signedIn(role: Role, token: string): string {
  const session = JSON.stringify(JSON.stringify({ token, name: role }));
  return `if (!sessionStorage.getItem('test.begun')) {
    sessionStorage.setItem('test.begun', 'yes');
    sessionStorage.setItem('callout.session', ${session});
  }`;
}
