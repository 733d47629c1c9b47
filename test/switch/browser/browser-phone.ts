import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { browserPath } from '#tools/services/browser.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { bundleJssip } from './bundle-jssip.ts';

/** SIP account of an agent's phone, as GET /api/agents/me/sip-config returns it. */
export interface PhoneAccount {
  url: string;
  uri: string;
  user: string;
  password: string;
  realm: string;
}

export interface PhoneState {
  isRegistered: boolean;
  /** Refused registrations. Units: retryAfter s */
  failures: readonly { cause: string; status: number | null; retryAfter: string | null }[];
  state: 'idle' | 'ringing' | 'calling' | 'talking' | 'ended';
  endCause: string | null;
  /** Caller shown by the newest call. */
  from: string | null;
}

/** An agent's phone in a tab: JsSIP with its defaults. */
export interface BrowserPhone {
  state(): Promise<PhoneState>;
  call(target: string, headers: Readonly<Record<string, string>>): Promise<void>;
  answer(): Promise<void>;
  hangUp(): Promise<void>;
  /** Resolves when the switch has confirmed. */
  hold(isHeld: boolean): Promise<void>;
  mute(isMuted: boolean): Promise<void>;
  press(digits: string, how: 'INFO' | 'RFC2833'): Promise<void>;
  hears(tones: Readonly<Record<string, number>>): Promise<string[]>;
  until(what: string, isSo: (state: PhoneState) => boolean, timeoutMs?: number): Promise<PhoneState>;
  /** Reloads like a user, without unregistering. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

export interface PhoneBrowser {
  /** Opens a tab; tabs of one browser share its storage. */
  open(account: PhoneAccount): Promise<BrowserPhone>;
  close(): Promise<void>;
}

const PAGE = '<!doctype html><title>phone</title><script src="/phone.js"></script>';
/** Script that detects the tones which a page receives. */
export const TONE_DETECTOR = join(import.meta.dirname, 'tone-detector.js');
const PHONE_PAGE = join(import.meta.dirname, 'phone-page.js');
const REGISTER_TIMEOUT_MS = 15_000;
const MICROPHONE_SECONDS = 60;
const MICROPHONE_RATE = 48_000;

/** Chromium whose microphone plays one tone, and which accepts every certificate, as a user would the switch's own. Units: `hertz` Hz */
export async function launchTalkingBrowser(folder: string, hertz: number): Promise<Browser> {
  const microphone = join(folder, `microphone-${hertz}.wav`);
  await writeFile(microphone, toneWav(hertz));
  return chromium.launch({
    executablePath: browserPath(process.env),
    args: [
      '--no-sandbox',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-audio-capture=${microphone}`,
      '--allow-loopback-in-peer-connection',
      '--autoplay-policy=no-user-gesture-required',
      '--ignore-certificate-errors',
      // Candidates with an mDNS name instead of this machine's address could not be resolved.
      '--disable-features=WebRtcHideLocalIpsWithMdns',
    ],
  });
}

export async function launchPhoneBrowser(folder: string, hertz: number): Promise<PhoneBrowser> {
  const browser = await launchTalkingBrowser(folder, hertz);
  const context = await browser.newContext({ permissions: ['microphone'] });
  const server = await servePage();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    async open(account) {
      const page = await context.newPage();
      await load(page, url, account);
      return phoneOf(page, () => load(page, url, account));
    },
    async close() {
      server.close();
      await browser.close();
    },
  };
}

/** Serves the page from this machine: Chromium blocks requests from other origins to local addresses. */
async function servePage(): Promise<Server> {
  const scripts = [bundleJssip(), ...(await Promise.all([TONE_DETECTOR, PHONE_PAGE].map(path => readFile(path, 'utf8'))))];
  const script = scripts.join('\n');
  const server = createServer((request, response) => {
    const isScript = request.url === '/phone.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html').end(isScript ? script : PAGE);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return server;
}

async function load(page: Page, url: string, account: PhoneAccount): Promise<void> {
  await page.goto(url);
  await page.evaluate(`phone.register(${JSON.stringify(account)})`);
}

function phoneOf(page: Page, reload: () => Promise<void>): BrowserPhone {
  const run = <T>(expression: string): Promise<T> => page.evaluate<T>(expression);
  const act = (expression: string) => run<undefined>(`void ${expression}`);
  const state = () =>
    run<PhoneState>(`(({ isRegistered, failures, state, endCause, from }) =>
      ({ isRegistered, failures, state, endCause, from }))(phone)`);
  const until: BrowserPhone['until'] = (what, isSo, timeoutMs = REGISTER_TIMEOUT_MS) =>
    waitUntil(
      what,
      async () => {
        const seen = await state();
        if (!isSo(seen)) throw new Error(JSON.stringify(seen));
        return seen;
      },
      timeoutMs,
    );
  return {
    state,
    until,
    call: (target, headers) => act(`phone.call(${JSON.stringify(target)}, ${JSON.stringify(headers)})`),
    answer: () => act('phone.answer()'),
    hangUp: () => act('phone.hangUp()'),
    hold: isHeld => run(`phone.hold(${isHeld})`),
    mute: isMuted => act(isMuted ? 'phone.session.mute()' : 'phone.session.unmute()'),
    press: (digits, how) => act(`phone.press(${JSON.stringify(digits)}, '${how}')`),
    hears: tones => run(`toneDetector.hears(${JSON.stringify(tones)})`),
    reload,
    close: () => page.close(),
  };
}

/** A WAV of one tone, mono and 16 bits. */
function toneWav(hertz: number): Buffer {
  const count = MICROPHONE_SECONDS * MICROPHONE_RATE;
  const wav = Buffer.alloc(44 + count * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + count * 2, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(MICROPHONE_RATE, 24);
  wav.writeUInt32LE(MICROPHONE_RATE * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(count * 2, 40);
  for (let index = 0; index < count; index++)
    wav.writeInt16LE(Math.round(10_000 * Math.sin((2 * Math.PI * hertz * index) / MICROPHONE_RATE)), 44 + index * 2);
  return wav;
}
