import { afterAll, beforeAll, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { CONSOLE_FOLDER } from '#serve/console-part.ts';
import { silentLog } from '#kernel/log.ts';
import type { Role } from '#kernel/caller.ts';
import { composeRuntime } from '#tools/runtime/compose.ts';
import { connectLink } from '#tools/runtime/nats-link.ts';
import { type DispatchRig, startDispatchRig } from '../dispatch-rig.ts';
import { INTERNAL_TOKEN, type TestServer } from '../server.ts';
import { within } from '../within.ts';
import { browsing, launchBrowser, type OpenPage, type Place } from './browsing.ts';
import { requireConsole } from './require-console.ts';
import spring from '../../../examples/spring-visit.script.json' with { type: 'json' };

/** The business of the reference runtime's script; `rig.campaign()` creates its campaigns. */
export const BUSINESS = { businessCode: 'demo', businessName: '演示', runtimeBringsFlow: true };

type RigOptions = NonNullable<Parameters<typeof startDispatchRig>[0]>;

export interface SuiteOptions extends Omit<RigOptions, 'playsRuntime' | 'consoleFolder' | 'reportsResults' | 'recordingFolder'> {
  /** Speed of conversations relative to real time; 20 by default. */
  speed?: number;
  /** Folder in which the runtime stores recordings and from which the server reads them; calls are not recorded when absent. */
  recordings?: string;
}

type TestBody = (given: { open: OpenPage; rig: DispatchRig }) => Promise<void>;

export interface BrowserSuite {
  /** The server, its services and the switch; available from the first test of the file. */
  readonly rig: DispatchRig;
  /** A test with console pages. It also fails when the browser reports an error, and saves screenshots of its pages when it fails. */
  test: (name: string, body: TestBody, timeoutMs?: number) => void;
}

/** Time limit for the first file of a run, which may have to build the console, ms. */
export const BUILD_MS = 400_000;

interface Started {
  rig: DispatchRig;
  browser: Browser;
  place: Place;
}

/** Starts the product with its console and a browser for one test file: real server and services, simulated switch, reference runtime. */
export function browserSuite({ speed = 20, recordings = '', ...options }: SuiteOptions = {}): BrowserSuite {
  const stack = new AsyncDisposableStack();
  let started: Started | undefined;
  const there = () => {
    if (!started) throw new Error('the product is there once the first test runs');
    return started;
  };
  beforeAll(async () => {
    await requireConsole();
    const [rig, browser] = await Promise.all([
      startRig({ ...options, ...(recordings === '' ? {} : { recordingFolder: recordings }) }, stack),
      startBrowser(stack),
    ]);
    const runtime = await startReferenceRuntime(rig.server, { speed, recordings });
    stack.defer(() => runtime.close());
    await rig.ask('POST', '/api/v1/scripts', { ...spring, businessCode: BUSINESS.businessCode });
    started = { rig, browser, place: placeOf(rig.server) };
  }, BUILD_MS);
  afterAll(() => stack.disposeAsync());
  return {
    get rig() {
      return there().rig;
    },
    test: (name, body, timeoutMs) => test(name, () => withPages(name, there(), body), timeoutMs),
  };
}

async function startRig(options: RigOptions, stack: AsyncDisposableStack): Promise<DispatchRig> {
  const config = { businesses: [BUSINESS], ...options.config };
  const rig = await startDispatchRig({ ...options, config, playsRuntime: false, consoleFolder: CONSOLE_FOLDER });
  stack.defer(() => rig.close());
  return rig;
}

async function startBrowser(stack: AsyncDisposableStack): Promise<Browser> {
  const browser = await within('the start of the browser', launchBrowser());
  stack.defer(() => browser.close());
  return browser;
}

/** Runs the equivalent of `npm run runtime` in this process. */
async function startReferenceRuntime(
  { nats }: TestServer,
  { speed, recordings }: { speed: number; recordings: string },
): Promise<{ close(): Promise<void> }> {
  const link = await connectLink({ url: nats.url, name: 'runtime-test', internalToken: INTERNAL_TOKEN }, silentLog);
  const settings = {
    nluUrl: '',
    nluToken: '',
    nluTimeoutMs: 2_000,
    maxCalls: 500,
    runtimeId: 'runtime-test',
    businessCodes: [],
    version: 'test',
  };
  const runtime = composeRuntime({ ...settings, speed, voicemailRate: 0, seed: 1, recordings }, { link, log: silentLog });
  await within('the registration of the runtime', runtime.ready);
  return {
    async close() {
      await runtime.drain(0);
      await link.close();
    },
  };
}

/** Creates one user for each role and a new session for each page, so that a sign-out on one page affects no other. */
function placeOf(server: TestServer): Place {
  const users = new Map<Role, Promise<number>>();
  return {
    url: server.url,
    async tokenOf(role) {
      const user = { username: `test-${role}`, password: 'password-of-the-test', role };
      const creation = users.get(role) ?? server.createUser(user);
      users.set(role, creation);
      await creation;
      const { data, text } = await server.api('POST', '/api/auth/login', { username: user.username, password: user.password });
      if (!data) throw new Error(`the sign-in as ${role} failed: ${text}`);
      return String(data.token);
    },
  };
}

async function withPages(name: string, { rig, browser, place }: Started, body: TestBody): Promise<void> {
  const pages = browsing(browser, place);
  try {
    await body({ open: pages.open, rig });
    pages.requireCalm();
  } catch (error) {
    const paths = await pages.takePictures(name);
    if (error instanceof Error && paths.length > 0) error.message += `\npictures: ${paths.join(', ')}`;
    throw error;
  } finally {
    await pages.close();
  }
}
