import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { pageProof } from '#platform/http/session-cookie.ts';
import { asksForHelp, type Command } from '#platform/process.ts';
import { listAttemptsRoute } from '#attempts/routes.ts';
import { listCampaignsRoute } from '#campaigns/routes.ts';
import { listListsRoute } from '#lists/routes.ts';
import { listScriptsRoute } from '#scripts/routes.ts';
import { filledPath, type ListedPage, readPages } from '../console/read-pages.ts';
import { BROWSER, browserPath } from '../services/browser.ts';
import { installPrograms, systemInstallation } from '../services/install.ts';
import { logIn, type RestClient } from '../start/rest-client.ts';
import { STATE_FOLDER } from './project.ts';
import { print } from './run-tool.ts';

const HELP = `Usage: npm run console:pictures -- [--url U] [--only KEY,…] [--language L,…] [--theme T,…] [--width PX,…]

Pictures of every page of the console, its tabs and what opens over it into .callout/pictures, from a product that runs (npm start),
signed in as its administrator. While its campaign dials, the live page shows calls, and one of them opened.

  --url U         where the server is                          http://127.0.0.1:9920
  --only K,…      these pages alone, by their keys in console/pages.ts
  --language L,…  of zh, en                                    both
  --theme T,…     of light, dark                               both
  --width PX,…    of the window                                1440,1024,390
                  its administrator  CALLOUT_AUTH_BOOTSTRAP_ADMIN_USERNAME  admin
                  the password       CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD  that of npm start
`;

const EXIT_USAGE = 64;
const FOLDER = join(STATE_FOLDER, 'pictures');
const LOCALES = { zh: 'zh-CN', en: 'en-US' } as const;
const THEMES = ['light', 'dark'] as const;
const WIDTHS = ['1440', '1024', '390'] as const;
const HEIGHT = 900;
/** Longest wait for the content of a page, in ms; a page that is still loading then is pictured as it is. */
const READY_MS = 6_000;
const LOOK_MS = 100;
/** Longest wait for a clicked element to open, in ms. */
const OPENED_MS = 1_000;
const MOST_CLICKS = 3;
/** Pause for what is drawn after the data, in ms: charts, fonts, animations. */
const SETTLE_MS = 350;
/** Some content exists, and no placeholder is left. */
const READY = `document.querySelector('main h1, main [role=region], main form, main table') !== null
  && document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root, [data-loading]') === null`;

/** More views of a page: query strings by page key. */
const VIEWS: Readonly<Record<string, readonly string[]>> = {
  campaign: ['?tab=contacts', '?tab=calls', '?tab=batches', '?tab=rules', '?tab=dispositions', '?tab=settings'],
  calls: ['?number=10000000000'],
  reports: ['?m=answer_rate,dials&by=weekday,hour_of_day', '?report=agents&m=answered&by=none', '?m=dials&by=outcome'],
  transcripts: ['?q=%E4%BD%A0%E5%A5%BD'],
  lists: ['?open=new'],
  webhooks: ['?open=new'],
  rules: ['?tab=outcomes', '?tab=calendar', '?tab=doNotCall', '?tab=packs', '?tab=consents', '?tab=holidays'],
  callbacks: ['?view=day', '?view=list'],
  script: ['?tab=versions', '?tab=difference'],
  users: ['?tab=roles', '?open=new'],
  lines: ['?open=1', '?open=new'],
  agents: ['?open=1'],
  contacts: ['?contact=1'],
  live: ['?view=rows'],
  businesses: ['?open=new'],
  groups: ['?open=new'],
};
/** Element to click on a page, the first that matches, to picture what opens beside it; skipped when there is none, such as a live call. */
const FIRSTS: Readonly<Record<string, string>> = { live: 'article button' };
/** Keys that open something over the page. */
const OVER: Readonly<Record<string, string>> = { palette: 'Control+k', keys: '?' };

interface PictureOptions {
  url: string;
  /** Keys of pages; absent: all. */
  only?: readonly string[];
  languages: readonly Language[];
  themes: readonly Theme[];
  widths: readonly number[];
}

type Language = keyof typeof LOCALES;
type Theme = (typeof THEMES)[number];

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
  const type = 'string';
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { url: { type }, only: { type }, language: { type }, theme: { type }, width: { type } },
    });
    return {
      url: values.url ?? 'http://127.0.0.1:9920',
      ...(values.only === undefined ? {} : { only: values.only.split(',') }),
      languages: chosenOf('language', values.language, Object.keys(LOCALES) as Language[]),
      themes: chosenOf('theme', values.theme, THEMES),
      widths: (values.width?.split(',') ?? WIDTHS).map(widthOf),
    };
  } catch (error) {
    process.stderr.write(`callout: ${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    return null;
  }
}

function chosenOf<Value extends string>(option: string, text: string | undefined, known: readonly Value[]): readonly Value[] {
  const named = text?.split(',') ?? known;
  const chosen = known.filter(value => named.includes(value));
  if (chosen.length !== named.length) throw new Error(`--${option} takes of ${known.join(', ')}: ${text}`);
  return chosen;
}

function widthOf(text: string): number {
  const width = Number(text);
  if (!Number.isInteger(width) || width <= 0) throw new Error(`--width takes pixels: ${text}`);
  return width;
}

async function takeAll({ url, only, languages, themes, widths }: PictureOptions): Promise<void> {
  const client = await enter(url, process.env);
  const places = placesOf(await readPages(), await samplesOf(client)).filter(
    ({ key }) => key === FIRST.key || (only?.includes(key) ?? true),
  );
  if (!only) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await installPrograms([BROWSER], systemInstallation(process.env, print));
  const executablePath = browserPath(process.env);
  const ground = { url, token: client.token, places, themes, widths };
  await Promise.all(languages.map(language => takeLanguage(executablePath, { ...ground, language })));
  print(`callout: ${places.length} views are pictured in ${FOLDER}`);
}

async function enter(url: string, env: NodeJS.ProcessEnv): Promise<RestClient> {
  const username = env['CALLOUT_AUTH_BOOTSTRAP_ADMIN_USERNAME'] || 'admin';
  const password = env['CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD'] || (await readFile(join(STATE_FOLDER, 'admin-password'), 'utf8')).trim();
  return logIn(url, username, password);
}

/** One row of each noun, by the first segment of its pages' paths. */
async function samplesOf(client: RestClient): Promise<Record<string, string | number | undefined>> {
  const [campaigns, attempts, scripts, lists] = await Promise.all([
    client.call(listCampaignsRoute),
    client.call(listAttemptsRoute, { query: { status: 'completed' } }),
    client.call(listScriptsRoute),
    client.call(listListsRoute),
  ]);
  const [attempt] = attempts.rows;
  const [campaign] = campaigns.rows;
  return {
    businesses: campaign?.businessCode,
    campaigns: campaign?.id,
    calls: attempt?.id,
    people: attempt?.phoneNumber,
    scripts: scripts.rows[0]?.id,
    lists: lists.rows[0]?.id,
  };
}

interface PicturedPlace {
  /** Key of the page. */
  key: string;
  /** Name of its pictures. */
  name: string;
  path: string;
  /** Key to press. */
  press?: string;
  /** Element to click, the first that matches; skipped when there is none. */
  click?: string;
}

/** The sign-in page, pictured before the session opens; all other places share one session in the same tab. */
const FIRST: PicturedPlace = { key: 'signIn', name: 'signIn', path: '/sign-in' };

function placesOf(pages: readonly ListedPage[], samples: Readonly<Record<string, string | number | undefined>>): PicturedPlace[] {
  return [
    FIRST,
    ...pages.flatMap(({ key, path }) => {
      const filled = filledPath(path, samples);
      if (filled === null) print(`callout: no row for ${path}: it is left out`);
      return filled === null ? [] : ['', ...(VIEWS[key] ?? [])].map(query => ({ key, name: key + nameOf(query), path: filled + query }));
    }),
    ...pages.flatMap(({ key, path }) => (FIRSTS[key] ? [{ key, name: `${key}-first`, path, click: FIRSTS[key] }] : [])),
    ...Object.entries(OVER).map(([key, press]) => ({ key, name: key, path: '/campaigns', press })),
  ];
}

/** `?tab=contacts` → `-tab-contacts`. */
function nameOf(query: string): string {
  return query.replaceAll(/\W+/g, '-');
}

interface Ground extends Pick<PictureOptions, 'url' | 'themes' | 'widths'> {
  token: string;
  places: readonly PicturedPlace[];
  language: Language;
}

/** Starts a browser for each language: its date fields follow the language of the browser, not that of the page. */
async function takeLanguage(executablePath: string, ground: Ground): Promise<void> {
  const locale = LOCALES[ground.language];
  const env = { ...process.env, LANGUAGE: locale.replace('-', '_') };
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', `--lang=${locale}`], env });
  try {
    await Promise.all(ground.themes.map(theme => takeTheme(browser, theme, ground)));
  } finally {
    await browser.close();
  }
}

/** Loads a page once for all widths. */
async function takeTheme(browser: Browser, theme: Theme, { url, token, places, language, widths }: Ground): Promise<void> {
  const context = await browser.newContext({ locale: LOCALES[language], colorScheme: theme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  for (const { key, name, path, press, click } of places) {
    if (key !== FIRST.key) await signIn(page, token);
    await resize(page, Math.max(...widths));
    await page.goto(url + path, { waitUntil: 'commit' });
    await settle(page);
    if (press) await page.keyboard.press(press);
    if (click && !(await openFirst(page, click))) print(`callout: nothing to open for ${name}`);
    for (const width of widths) {
      await resize(page, width);
      await page.waitForTimeout(SETTLE_MS);
      await page.screenshot({ path: join(FOLDER, `${name}-${language}-${theme}-${width}.png`) });
    }
  }
}

/** Whether something opened. A live call may end during the click; then the next element is tried. */
async function openFirst(page: Page, click: string): Promise<boolean> {
  for (let tried = 0; tried < MOST_CLICKS; tried++) {
    try {
      await page.locator(click).first().click({ timeout: READY_MS });
      await page.locator(`${click}[aria-pressed=true]`).waitFor({ timeout: OPENED_MS });
      await settle(page);
      return true;
    } catch {
      continue;
    }
  }
  return false;
}

function resize(page: Page, width: number): Promise<void> {
  return page.setViewportSize({ width, height: HEIGHT });
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.context().addCookies([{ name: 'callout_session', value: token, url: page.url(), httpOnly: true, sameSite: 'Strict' }]);
  const session = JSON.stringify(JSON.stringify({ proof: pageProof(token), name: 'pictures' }));
  await page.evaluate(`localStorage.setItem('callout.session', ${session})`);
}

/** Polls from outside the page: the console's CSP forbids evaluating strings, which `waitForFunction` does. */
async function settle(page: Page): Promise<void> {
  for (let waitedMs = 0; waitedMs < READY_MS; waitedMs += LOOK_MS) {
    if (await page.evaluate<boolean>(READY).catch(() => false)) return;
    await page.waitForTimeout(LOOK_MS);
  }
}
