import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { signIn } from '#test/support/browser/browsing.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import type { ConsoleServer } from '../switch-rig.ts';
import { launchTalkingBrowser, TONE_DETECTOR } from './browser-phone.ts';

const HEAR_CALLS = join(import.meta.dirname, 'hear-calls.js');
const WAIT_MS = 30_000;
/** A tone would be filtered as noise. */
const SETTINGS = JSON.stringify(JSON.stringify({ isFiltered: false }));

export interface ConsoleUser {
  id: number;
  username: string;
}

export interface ConsoleBrowser {
  /** Opens the console in another tab of the same browser. */
  open(): Promise<ConsolePhone>;
  close(): Promise<void>;
}

/** The console's phone in a tab, used as an agent does: by its buttons and keys. */
export class ConsolePhone {
  readonly page: Page;
  readonly #userId: number;

  constructor(page: Page, userId: number) {
    this.page = page;
    this.#userId = userId;
  }

  /** Waits until the bar shows this text. */
  async shows(text: string | RegExp, timeoutMs = WAIT_MS): Promise<void> {
    await this.bar.getByText(text).first().waitFor({ timeout: timeoutMs });
  }

  async press(name: string): Promise<void> {
    await this.bar.getByRole('button', { name }).click();
  }

  /** Calls a number of the switch, as a page of the console asks the phone to: over the channel of the tabs. */
  async dial(target: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const message = JSON.stringify({ type: 'command', command: { name: 'dial', target, headers } });
    await this.page.evaluate(`new BroadcastChannel('callout.phone.${this.#userId}').postMessage(${message})`);
  }

  hears(tones: Readonly<Record<string, number>>): Promise<string[]> {
    return this.page.evaluate<string[]>(`toneDetector.hears(${JSON.stringify(tones)})`);
  }

  get bar(): Locator {
    return this.page.getByRole('region', { name: '话机' });
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

/** Chromium with the console in it, signed in as an agent, whose microphone plays one tone. Units: `hertz` Hz */
export async function launchConsoleBrowser(
  folder: string,
  { server, user, hertz }: { server: ConsoleServer; user: ConsoleUser; hertz: number },
): Promise<ConsoleBrowser> {
  const browser = await launchTalkingBrowser(folder, hertz);
  const context = await browser.newContext({ permissions: ['microphone'], locale: 'zh-CN', ignoreHTTPSErrors: true });
  await signIn(context, { url: server.url, token: await server.tokenOf(user.username), name: user.username });
  await context.addInitScript({ content: `localStorage.setItem('callout.phone.settings', ${SETTINGS})` });
  await context.addInitScript({ path: TONE_DETECTOR });
  await context.addInitScript({ path: HEAR_CALLS });
  return {
    async open() {
      const page = await context.newPage();
      await page.goto(`${server.url}/live`);
      const phone = new ConsolePhone(page, user.id);
      await waitUntil('the bar of the phone', () => phone.bar.isVisible(), WAIT_MS);
      return phone;
    },
    close: () => browser.close(),
  };
}
