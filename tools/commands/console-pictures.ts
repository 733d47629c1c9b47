import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { asksForHelp, type Command } from '#compose/command.ts';
import { listAttemptsRoute } from '#contract/rest/attempts.ts';
import { listCampaignsRoute } from '#contract/rest/campaigns.ts';
import { listScriptsRoute } from '#contract/rest/scripts.ts';
import { filledPath, type ListedPage, readPages } from '../console/read-pages.ts';
import { browserPath } from '../services/browser.ts';
import { logIn, type RestClient } from '../start/rest-client.ts';
import { STATE_FOLDER } from './project.ts';
import { print } from './run-tool.ts';

const HELP = `Usage: npm run console:pictures -- [--url U] [--only KEY,…]

Pictures of every page of the console in both languages, both themes and two widths into .callout/pictures, from a product that runs
(npm start), signed in as its administrator.

  --url U       where the server is                          http://127.0.0.1:9920
  --only K,…    these pages alone, by their keys in console/pages.ts
                its administrator  CALLOUT_AUTH_BOOTSTRAP_ADMIN_USERNAME  admin
                the password       CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD  that of npm start
`;

const EXIT_USAGE = 64;
const FOLDER = join(STATE_FOLDER, 'pictures');
const LOCALES = { zh: 'zh-CN', en: 'en-US' } as const;
const THEMES = ['light', 'dark'] as const;
const WIDTHS = [1440, 390] as const;
/** For what is asked for to be there; a page that goes on asking is pictured as it is, ms. */
const QUIET_MS = 10_000;
const SETTLE_MS = 400;

interface PictureOptions {
  url: string;
  /** Keys of pages; all when absent. */
  only?: readonly string[];
}

/** `npm run console:pictures`: exit code 64 on a wrong flag. */
export const consolePictures: Command = async args => {
  if (asksForHelp(args)) {
    process.stdout.write(HELP);
    return 0;
  }
  const options = optionsOf(args);
  if (options === null) return EXIT_USAGE;
  await takeAll(options);
  return 0;
};

function optionsOf(args: readonly string[]): PictureOptions | null {
  try {
    const { values } = parseArgs({ args: [...args], options: { url: { type: 'string' }, only: { type: 'string' } } });
    return { url: values.url ?? 'http://127.0.0.1:9920', ...(values.only === undefined ? {} : { only: values.only.split(',') }) };
  } catch (error) {
    process.stderr.write(`callout: ${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    return null;
  }
}

async function takeAll({ url, only }: PictureOptions): Promise<void> {
  const client = await enter(url, process.env);
  const places = placesOf(await readPages(), await samplesOf(client)).filter(
    ({ key }) => key === FIRST.key || (only?.includes(key) ?? true),
  );
  if (!only) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const browser = await chromium.launch({ executablePath: await browserPath(process.env, print), args: ['--no-sandbox'] });
  try {
    for (const [language, locale] of Object.entries(LOCALES))
      await takeLooks(browser, { url, token: client.token, places, language, locale });
  } finally {
    await browser.close();
  }
  print(`callout: ${places.length} pages are pictured in ${FOLDER}`);
}

async function enter(url: string, env: NodeJS.ProcessEnv): Promise<RestClient> {
  const username = env['CALLOUT_AUTH_BOOTSTRAP_ADMIN_USERNAME'] || 'admin';
  const password = env['CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD'] || (await readFile(join(STATE_FOLDER, 'admin-password'), 'utf8')).trim();
  return logIn(url, username, password);
}

/** One row of each noun, by the first part of its pages' paths. */
async function samplesOf(client: RestClient): Promise<Record<string, string | number | undefined>> {
  const [campaigns, attempts, scripts] = await Promise.all([
    client.call(listCampaignsRoute),
    client.call(listAttemptsRoute, { query: { status: 'completed' } }),
    client.call(listScriptsRoute),
  ]);
  const [attempt] = attempts.rows;
  return { campaigns: campaigns.rows[0]?.id, calls: attempt?.id, people: attempt?.phoneNumber, scripts: scripts.rows[0]?.id };
}

interface PicturedPlace {
  key: string;
  path: string;
}

/** Before anybody has signed in; the session of all others is opened in its tab. */
const FIRST: PicturedPlace = { key: 'signIn', path: '/sign-in' };

function placesOf(pages: readonly ListedPage[], samples: Readonly<Record<string, string | number | undefined>>): PicturedPlace[] {
  return [
    FIRST,
    ...pages.flatMap(({ key, path }) => {
      const filled = filledPath(path, samples);
      if (filled === null) print(`callout: no row for ${path}: it is left out`);
      return filled === null ? [] : [{ key, path: filled }];
    }),
  ];
}

interface Ground {
  url: string;
  token: string;
  places: readonly PicturedPlace[];
  language: string;
  locale: string;
}

/** Both themes, both widths. */
async function takeLooks(browser: Browser, ground: Ground): Promise<void> {
  const { url, token, places, language, locale } = ground;
  const looks = THEMES.flatMap(colorScheme => WIDTHS.map(width => ({ colorScheme, width })));
  for (const { colorScheme, width } of looks) {
    const context = await browser.newContext({ locale, colorScheme, viewport: { width, height: 900 }, reducedMotion: 'reduce' });
    const page = await context.newPage();
    for (const { key, path } of places) {
      if (key === FIRST.key) await page.goto(url + path);
      else await openSignedIn(page, url + path, token);
      await settle(page);
      await page.screenshot({ path: join(FOLDER, `${key}-${language}-${colorScheme}-${width}.png`) });
    }
    await context.close();
  }
}

async function openSignedIn(page: Page, address: string, token: string): Promise<void> {
  const session = JSON.stringify(JSON.stringify({ token, name: 'pictures' }));
  await page.evaluate(`sessionStorage.setItem('callout.session', ${session})`);
  await page.goto(address);
}

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => undefined);
  await page.waitForTimeout(SETTLE_MS);
}
