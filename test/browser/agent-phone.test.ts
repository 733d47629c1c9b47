import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CONSOLE_FOLDER } from '#serve/console-part.ts';
import { BUILD_MS } from '#test/support/browser/browser-suite.ts';
import { requireConsole } from '#test/support/browser/require-console.ts';
import { type DispatchRig, startDispatchRig, SWITCH_PASSWORD } from '#test/support/dispatch-rig.ts';
import { openTarget, type Watcher } from '#test/support/switch-target.ts';
import { CALLER, ringPhone, toneCustomer } from '#test/support/tone-people.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type ConsolePhone, launchConsoleBrowser } from '#test/switch/browser/console-phone.ts';
import { DEFAULT_WORLD } from '#tools/switch/world.ts';

const EXTENSION = '1005';
const AGENT = { username: 'phone-agent', password: 'password-of-the-test', role: 'agent' } as const;
const [AGENT_HZ, CUSTOMER_HZ] = [700, 900];
const LOUD = 0.05;

const stack = new AsyncDisposableStack();
let rig: DispatchRig;
let watcher: Watcher;
let phone: ConsolePhone;

beforeAll(async () => {
  await requireConsole();
  const folder = await mkdtemp(join(tmpdir(), 'callout-agent-phone-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  rig = await startDispatchRig({
    consoleFolder: CONSOLE_FOLDER,
    hasBrowserPhones: true,
    playsRuntime: false,
    world: { ...DEFAULT_WORLD, byNumber: true },
  });
  stack.defer(() => rig.close());
  watcher = await openTarget({ host: '127.0.0.1', port: rig.simulator.port, password: SWITCH_PASSWORD });
  stack.defer(() => watcher.close());
  const browser = await launchConsoleBrowser(folder, { server: { url: rig.server.url, tokenOf }, user: await hire(), hertz: AGENT_HZ });
  stack.defer(() => browser.close());
  phone = await browser.open();
}, BUILD_MS);

afterAll(() => stack.disposeAsync());

async function hire() {
  const id = await rig.server.createUser(AGENT);
  await rig.ask('POST', '/api/agents', { name: '话机坐席', phoneExtension: EXTENSION, sipPassword: 'a password of the test', userId: id });
  return { id, username: AGENT.username };
}

async function tokenOf(username: string): Promise<string> {
  const { data } = await rig.server.api('POST', '/api/auth/login', { username, password: AGENT.password });
  return String(data.token);
}

async function bothHear(customer: { hears(hertz: number): number }): Promise<void> {
  await waitUntil('the customer to hear the agent', () => customer.hears(AGENT_HZ) > LOUD);
  await waitUntil('the agent to hear the customer', async () => (await phone.hears({ customer: CUSTOMER_HZ })).length > 0);
}

test("the console's phone registers at the simulated switch, and the product knows it", async () => {
  await phone.shows('已就绪');
  await waitUntil('the registration', async () => {
    const { rows } = (await rig.ask('GET', '/api/agents/phone-statuses')).data;
    return rows.some((row: { registrationStatus: string }) => row.registrationStatus === 'registered');
  });
});

/** Signing out in a call asks first: it would end the call for the customer. */
async function askToSignOut(): Promise<void> {
  const { page } = phone;
  await page.getByRole('button', { name: /账号$/ }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await page.getByRole('dialog').getByText('客户那边的通话会结束', { exact: false }).waitFor();
  await page.getByRole('button', { name: '留在通话中' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

test('it rings, is answered, and both hear each other; a reload takes the call back', async () => {
  const customer = await toneCustomer(watcher, rig.simulator.sound, { room: 'room-1', hertz: CUSTOMER_HZ });
  const uuid = await ringPhone(watcher, EXTENSION, '&conference(room-1@default)');
  await phone.shows(CALLER);
  await phone.press('接听');
  await bothHear(customer);
  await phone.reload();
  await phone.shows(CALLER);
  await bothHear(customer);
  await askToSignOut();
  expect(rig.simulator.record().channels.find(channel => channel.uuid === uuid)?.cause).toBeNull();
  await phone.press('挂断');
  await waitUntil(
    'the leg to end',
    () => rig.simulator.record().channels.find(channel => channel.uuid === uuid)?.cause === 'NORMAL_CLEARING',
  );
});
