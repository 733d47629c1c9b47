import { sleep, systemClock } from '#kernel/clock.ts';
import { requireConsole } from '#test/support/browser/require-console.ts';
import { startTcpProxy, type TcpProxy } from '#test/chaos/tcp-proxy.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type ConsoleBrowser, type ConsolePhone, launchConsoleBrowser } from '../browser/console-phone.ts';
import { customerNumber, toneOfExtension, toneOfNumber } from '../people.ts';
import { expectAtMost, expectEqual, type Report } from '../report.ts';
import { passwordOf, type SwitchRig, USER_PASSWORD } from '../switch-rig.ts';
import { freeAgent, hangUpAll } from './campaign.ts';
import { type LiveCall, liveCall, openSession, routeTransfer } from './people-acts.ts';

const AREA = 'console-phone';
/** An agent without another phone. */
const EXTENSION = '1006';
const USERNAME = 'console-agent';
const HEARD_LIMIT_MS = 15_000;
const REGISTER_LIMIT_MS = 60_000;
/** Longest time from the end of a phone's socket to the end of its leg (D12.7), in ms. */
const GONE_LIMIT_MS = 8_000;
/** Longest time from the end of a call at the switch until the bar says so, when the BYE found no way to the browser. In ms. */
const ENDED_LIMIT_MS = 15_000;
/** Duration of a network outage, in ms. */
const DROP_MS = 2_000;

/** The console's own phone against the shipped configuration, over WSS with the certificate that the switch makes itself. */
export async function checkConsolePhone(rig: SwitchRig, report: Report): Promise<void> {
  await using stack = new AsyncDisposableStack();
  await requireConsole();
  const wire = await startTcpProxy({ host: '127.0.0.1', port: rig.securePhoneSocket });
  stack.defer(() => wire.close());
  const server = await rig.startConsoleServer(stack, [`wss://127.0.0.1:${wire.port}`]);
  const user = await hire(rig);
  const browser = await launchConsoleBrowser(rig.folder, { server, user, hertz: toneOfExtension(EXTENSION) });
  stack.defer(() => browser.close());
  const story = new Story(rig, wire, browser);
  const step = (name: string, work: () => Promise<string>) => report.check(AREA, name, work, { limitMs: 180_000 });
  await step('registers over WSS with the switch’s own certificate', () => story.register());
  await step('calls its session’s room: both hear each other', () => story.callOut());
  await step('muted and on hold: the customer hears nothing, then both again', () => story.holdAndMute());
  await step('its socket drops for 2 s: the call goes on', () => story.dropSocket());
  await step('reloaded in a call: the call goes on', () => story.reload());
  await step('its tab is closed in a call while another is open: that one has the call', () => story.handOver());
  await step('the customer hangs up: the bar says so', () => story.customerLeaves());
  await step('rings for a transfer, is answered by key, and hung up from another tab', () => story.takeTransfer());
  await step('answers by itself when it is set to', () => story.answerItself());
  await step('its only tab is closed in a call: the customer is the script’s again', () => story.lose());
  await hangUpAll(rig);
}

/** Creates the agent of the phone and its user. */
async function hire(rig: SwitchRig): Promise<{ id: number; username: string }> {
  const { user } = await rig.rest('POST', '/api/users', {
    username: USERNAME,
    password: USER_PASSWORD,
    role: 'agent',
    displayName: '话机坐席',
  });
  const { agent } = await rig.rest('POST', '/api/agents', {
    name: `坐席 ${EXTENSION}`,
    phoneExtension: EXTENSION,
    sipPassword: passwordOf(EXTENSION),
    userId: user.id,
  });
  (rig.agents as Map<string, number>).set(EXTENSION, Number(agent.id));
  return { id: Number(user.id), username: USERNAME };
}

class Story {
  readonly #rig: SwitchRig;
  readonly #wire: TcpProxy;
  readonly #browser: ConsoleBrowser;
  #phone: ConsolePhone | null = null;
  #call: Pick<LiveCall, 'customer' | 'requestId'> | null = null;

  constructor(rig: SwitchRig, wire: TcpProxy, browser: ConsoleBrowser) {
    this.#rig = rig;
    this.#wire = wire;
    this.#browser = browser;
  }

  async register(): Promise<string> {
    this.#phone = await this.#browser.open();
    await this.phone.shows('已就绪', REGISTER_LIMIT_MS);
    await freeAgent(this.#rig, EXTENSION);
    return 'ready';
  }

  async callOut(): Promise<string> {
    const phoneNumber = customerNumber({ tone: 1_810, ringSeconds: 1 });
    const session = await openSession(this.#rig, EXTENSION, phoneNumber);
    await this.phone.dial(session.serviceNumber, session.sipExtraHeaders);
    await this.phone.shows('通话中');
    this.#call = { customer: await this.#rig.people.ringing(phoneNumber), requestId: '' };
    return this.#bothHear();
  }

  async holdAndMute(): Promise<string> {
    await this.phone.press('静音');
    await this.#hear({ phone: ['customer'], customer: [] });
    await this.phone.press('取消静音');
    await this.#bothHear();
    await this.phone.press('保持');
    await sleep(systemClock, GONE_LIMIT_MS);
    await this.phone.press('恢复');
    return this.#bothHear();
  }

  async dropSocket(): Promise<string> {
    this.#wire.cut();
    this.#wire.reset();
    const trouble = this.phone.bar.getByText('无法连接交换机。');
    await trouble.waitFor();
    await sleep(systemClock, DROP_MS);
    this.#wire.reset();
    this.#wire.heal();
    await trouble.waitFor({ state: 'detached' });
    await this.#untilRestored();
    return this.#bothHear();
  }

  async reload(): Promise<string> {
    const beganAt = systemClock.monotonic();
    await this.phone.reload();
    await this.phone.shows('通话中');
    await this.#untilRestored();
    const heard = await this.#bothHear();
    return `${heard}, ${Math.round(systemClock.monotonic() - beganAt)} ms after the reload`;
  }

  async handOver(): Promise<string> {
    const other = await this.#browser.open();
    await other.shows('由另一个标签页接听');
    await other.shows('通话中');
    await this.phone.close();
    this.#phone = other;
    await waitUntil('the other tab to have the phone', async () => !(await other.bar.getByText('由另一个标签页接听').isVisible()));
    await this.#untilRestored();
    return this.#bothHear();
  }

  async customerLeaves(): Promise<string> {
    const beganAt = systemClock.monotonic();
    await this.#rig.people.hangUp(this.call.customer);
    await this.phone.shows('通话结束', ENDED_LIMIT_MS);
    const endedMs = Math.round(systemClock.monotonic() - beganAt);
    await freeAgent(this.#rig, EXTENSION);
    return `${endedMs} ms`;
  }

  async takeTransfer(): Promise<string> {
    await this.#ring(1_820);
    await this.phone.shows(this.call.customer.to);
    await this.phone.page.keyboard.press('Alt+KeyA');
    const heard = await this.#bothHear();
    const other = await this.#browser.open();
    await other.press('挂断');
    await this.phone.shows('通话结束');
    await other.close();
    await this.#rig.people.hangUp(this.call.customer);
    return heard;
  }

  async answerItself(): Promise<string> {
    await this.phone.press('话机设置');
    await this.phone.page.getByRole('switch', { name: '自动接听' }).click();
    await this.phone.page.keyboard.press('Escape');
    await this.#ring(1_830);
    return this.#bothHear();
  }

  async lose(): Promise<string> {
    const beganAt = systemClock.now();
    await this.phone.close();
    const news = await waitUntil(
      'the runtime to have the customer',
      () => this.#rig.runtime.news.get(this.call.requestId)?.find(({ status }) => status === 'failed' || status === 'ended'),
      GONE_LIMIT_MS * 2,
    );
    expectEqual('news', `${news.status} ${news.cause}`, 'failed AGENT_LOST');
    expectAtMost('ms until the runtime had the customer', news.at - beganAt, GONE_LIMIT_MS);
    await this.#rig.people.hangUp(this.call.customer);
    return `${news.at - beganAt} ms`;
  }

  get phone(): ConsolePhone {
    if (!this.#phone) throw new Error('the phone did not come up');
    return this.#phone;
  }

  get call() {
    if (!this.#call) throw new Error('no customer is there');
    return this.#call;
  }

  async #ring(tone: number): Promise<void> {
    await freeAgent(this.#rig, EXTENSION);
    const call = await liveCall(this.#rig, tone);
    this.#call = call;
    await routeTransfer(this.#rig, call, EXTENSION);
    await this.phone.shows(/来电|通话中/);
  }

  async #untilRestored(): Promise<void> {
    await waitUntil('the call to be restored', async () => !(await this.phone.bar.getByText('正在恢复通话').isVisible()));
  }

  #bothHear(): Promise<string> {
    return this.#hear({ phone: ['customer'], customer: ['agent'] });
  }

  async #hear(wanted: { phone: string[]; customer: string[] }): Promise<string> {
    const beganAt = systemClock.monotonic();
    const { customer } = this.call;
    const tones = { customer: toneOfNumber(customer.to), agent: toneOfExtension(EXTENSION) };
    const listen = async () => {
      const heard = await this.#rig.people.listen({ customer }, { agent: tones.agent });
      expectEqual('who hears whom', { phone: await this.phone.hears(tones), customer: heard['customer'] as string[] }, wanted);
      return true;
    };
    await waitUntil('the ears', listen, HEARD_LIMIT_MS);
    return `both ears within ${Math.round(systemClock.monotonic() - beganAt)} ms`;
  }
}
