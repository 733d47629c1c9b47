import { sleep, systemClock } from '#kernel/clock.ts';
import { startTcpProxy, type TcpProxy } from '#test/chaos/tcp-proxy.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type BrowserPhone, launchPhoneBrowser, type PhoneAccount, type PhoneBrowser } from '../browser/browser-phone.ts';
import { customerNumber, type PhoneLeg, toneOfExtension, toneOfNumber } from '../people.ts';
import { expectAtMost, expectEqual, type Report } from '../report.ts';
import { DOMAIN, isClosed, passwordOf, type SwitchRig } from '../switch-rig.ts';
import { freeAgent, hangUpAll } from './campaign.ts';
import { liveCall, openSession, routeTransfer } from './people-acts.ts';

const AREA = 'browser';
/** An agent without another phone. */
const EXTENSION = '1005';
const HEARD_LIMIT_MS = 8_000;
const TALK_LIMIT_MS = 10_000;
/** Longest time from the end of a phone's socket to the end of its leg (D12.7), in ms. */
const GONE_LIMIT_MS = 8_000;
/** The BYE goes to the socket on which the call began; without media the browser ends the call by itself. In ms. */
const ICE_LIMIT_MS = 45_000;
/** The switch replies before the move, in ms. */
const MOVED_LIMIT_MS = 2_000;
/** Longest time for a switch to close after its last server was seen, which takes 10 s (D12.8), in ms. */
const ABANDONED_LIMIT_MS = 15_000;
/** Duration of a network outage, in ms. */
const DROP_MS = 2_000;

/** Agents' phones in a browser, JsSIP with its defaults, against the shipped configuration. */
export async function checkBrowsers(rig: SwitchRig, report: Report): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const wire = await startTcpProxy({ host: '127.0.0.1', port: rig.phoneSocket });
  stack.defer(() => wire.close());
  const browser = await launchPhoneBrowser(rig.folder, toneOfExtension(EXTENSION));
  stack.defer(() => browser.close());
  const story = new Story(rig, wire, browser);
  const step = (name: string, work: () => Promise<string>) => report.check(AREA, name, work, { limitMs: 120_000 });
  await step('registers, and is reported as registered', () => story.register());
  await step('calls its session’s room: both hear each other', () => story.callOut());
  await step('muted and on hold for longer than a lost phone is kept', () => story.holdAndMute());
  await step('its socket drops for 2 s: the call goes on', () => story.dropSocket());
  await step('no server is running: registration is deferred, the call continues', () => story.serverAway());
  await step('the customer hangs up: the phone is released', () => story.customerLeaves());
  await step('rings for a transfer, shows the customer’s number, both hear each other', () => story.takeTransfer(1_760));
  await step('reloaded in a call: the customer is the script’s again', () => story.lose(phone => phone.reload()));
  await step('takes the next call after the reload', () => story.takeTransfer(1_770));
  await step('its tab is closed in a call: the customer is the script’s again', () => story.lose(phone => phone.close()));
  await step('two tabs: the older one is reached when the newer is closed', () => story.twoTabs());
  await step('the header of an ended session: nobody enters its room', () => story.callOver());
  await hangUpAll(rig);
}

class Story {
  readonly #rig: SwitchRig;
  readonly #wire: TcpProxy;
  readonly #browser: PhoneBrowser;
  #phone: BrowserPhone | null = null;
  #customer: PhoneLeg | null = null;
  #requestId = '';

  constructor(rig: SwitchRig, wire: TcpProxy, browser: PhoneBrowser) {
    this.#rig = rig;
    this.#wire = wire;
    this.#browser = browser;
  }

  async register(): Promise<string> {
    const { agent } = await this.#rig.rest('POST', '/api/agents', {
      name: `坐席 ${EXTENSION}`,
      phoneExtension: EXTENSION,
      sipPassword: passwordOf(EXTENSION),
    });
    (this.#rig.agents as Map<string, number>).set(EXTENSION, Number(agent.id));
    this.#phone = await this.#open();
    await this.#statusIs('registered');
    return 'registered';
  }

  async callOut(): Promise<string> {
    const phoneNumber = customerNumber({ tone: 1_750, ringSeconds: 1 });
    const session = await openSession(this.#rig, EXTENSION, phoneNumber);
    await this.phone.call(session.serviceNumber, session.sipExtraHeaders);
    await this.phone.until('the room to be entered', ({ state }) => state === 'talking', TALK_LIMIT_MS);
    this.#customer = await this.#rig.people.ringing(phoneNumber);
    return this.#bothHear();
  }

  async holdAndMute(): Promise<string> {
    await this.phone.mute(true);
    await sleep(systemClock, GONE_LIMIT_MS);
    await this.phone.mute(false);
    await this.#bothHear();
    await this.phone.hold(true);
    await sleep(systemClock, GONE_LIMIT_MS);
    await this.phone.hold(false);
    return this.#bothHear();
  }

  async dropSocket(): Promise<string> {
    await this.#drop();
    await this.phone.until('the phone to register again', ({ isRegistered }) => isRegistered, 30_000);
    return this.#bothHear();
  }

  /** A phone must get a response after which it retries: it never does after a refusal. */
  async serverAway(): Promise<string> {
    await this.#rig.server.kill();
    const beganAt = systemClock.monotonic();
    try {
      await waitUntil('the switch to close itself', () => isClosed(this.#rig), ABANDONED_LIMIT_MS);
      const closedMs = Math.round(systemClock.monotonic() - beganAt);
      const late = await this.#browser.open(this.#account());
      const { failures } = await late.until('the phone to be put off', ({ failures: seen }) => seen.length > 0);
      const [first] = failures;
      expectEqual('what registering is told', [first?.status, Number(first?.retryAfter) > 0], [503, true]);
      await this.phone.hold(true);
      await this.phone.hold(false);
      await this.#bothHear();
      await this.#rig.startServer();
      await late.reload();
      await late.until('the phone to register', ({ isRegistered }) => isRegistered);
      await late.close();
      return `503 from ${closedMs} ms on, Retry-After ${first?.retryAfter} s; then it registers; ${await this.#bothHear()}`;
    } finally {
      if (!this.#rig.server.isRunning()) await this.#rig.startServer();
    }
  }

  async customerLeaves(): Promise<string> {
    const { customer } = this;
    await this.#rig.people.hangUp(customer);
    const { endCause } = await this.phone.until('the phone to be let go', ({ state }) => state === 'ended', ICE_LIMIT_MS);
    await freeAgent(this.#rig, EXTENSION);
    return `ended by ${endCause}`;
  }

  async takeTransfer(tone: number): Promise<string> {
    await this.phone.until('the phone to register', ({ isRegistered }) => isRegistered);
    await this.#statusIs('registered');
    await freeAgent(this.#rig, EXTENSION);
    const call = await liveCall(this.#rig, tone);
    this.#customer = call.customer;
    this.#requestId = call.requestId;
    await routeTransfer(this.#rig, call, EXTENSION);
    const { from } = await this.phone.until('the phone to ring', ({ state }) => state === 'ringing', TALK_LIMIT_MS);
    expectEqual('the number shown', from, call.customer.to);
    await this.phone.answer();
    return this.#bothHear();
  }

  /** Ends the phone's socket and media without a BYE. */
  async lose(act: (phone: BrowserPhone) => Promise<void>): Promise<string> {
    const beganAt = systemClock.now();
    await act(this.phone);
    const news = await waitUntil(
      'the runtime to have the customer',
      () => this.#rig.runtime.news.get(this.#requestId)?.find(({ status }) => status === 'failed' || status === 'ended'),
      GONE_LIMIT_MS * 2,
    );
    expectEqual('news', `${news.status} ${news.cause}`, 'failed AGENT_LOST');
    expectAtMost('ms until the runtime had the customer', news.at - beganAt, GONE_LIMIT_MS);
    await waitUntil(
      'the customer to leave the room',
      async () => !(await this.#rig.cell.api('conference list')).includes('callout-'),
      MOVED_LIMIT_MS,
    );
    expectEqual('the customer', this.customer.endedAt, null);
    await this.#rig.people.hangUp(this.customer);
    return `${news.at - beganAt} ms, the customer is on the line`;
  }

  async twoTabs(): Promise<string> {
    const older = await this.#open();
    const newer = await this.#open();
    this.#phone = newer;
    await this.takeTransfer(1_780);
    await newer.hangUp();
    await waitUntil('the runtime to have the customer', () =>
      this.#rig.runtime.news.get(this.#requestId)?.some(({ status }) => status === 'ended'),
    );
    await this.#rig.people.hangUp(this.customer);
    await newer.close();
    await this.#contactsAre(1);
    this.#phone = older;
    return `the newer rang; then the older: ${await this.takeTransfer(1_790)}`;
  }

  async callOver(): Promise<string> {
    await this.phone.hangUp();
    await this.#rig.people.hangUp(this.customer);
    const session = await openSession(this.#rig, EXTENSION, '');
    await this.#rig.rest('POST', `/api/softphone-sessions/${session.sessionId}/end`);
    await this.phone.call(session.serviceNumber, session.sipExtraHeaders);
    const { endCause } = await this.phone.until('the phone to be let go', ({ state }) => state === 'ended', TALK_LIMIT_MS);
    return `let go, ${endCause}`;
  }

  get phone(): BrowserPhone {
    if (!this.#phone) throw new Error('the phone did not come up');
    return this.#phone;
  }

  get customer(): PhoneLeg {
    if (!this.#customer) throw new Error('no customer is there');
    return this.#customer;
  }

  async #open(): Promise<BrowserPhone> {
    const phone = await this.#browser.open(this.#account());
    await phone.until('the phone to register', ({ isRegistered }) => isRegistered);
    return phone;
  }

  #account(): PhoneAccount {
    return {
      url: `ws://127.0.0.1:${this.#wire.port}`,
      uri: `sip:${EXTENSION}@${DOMAIN}`,
      user: EXTENSION,
      password: passwordOf(EXTENSION),
      realm: DOMAIN,
    };
  }

  /** New connections fail too during the outage. */
  async #drop(): Promise<void> {
    this.#wire.cut();
    this.#wire.reset();
    await sleep(systemClock, DROP_MS);
    this.#wire.reset();
    this.#wire.heal();
  }

  /** The switch rings every registered contact: a tab that has just closed may still be registered. */
  async #contactsAre(count: number): Promise<void> {
    const contacts = async () => (await this.#rig.cell.api(`sofia_contact agents/${EXTENSION}@${DOMAIN}`)).match(/sofia\/agents\//g) ?? [];
    await waitUntil(`${count} tabs to be registered`, async () => (await contacts()).length === count, MOVED_LIMIT_MS);
  }

  async #statusIs(wanted: string): Promise<void> {
    await waitUntil(
      `the phone to be told as ${wanted}`,
      async () => {
        const { rows } = await this.#rig.rest('GET', '/api/agents/phone-statuses');
        const id = this.#rig.agents.get(EXTENSION);
        const row = rows.find((each: { agentId: number }) => each.agentId === id);
        if (row?.registrationStatus !== wanted) throw new Error(JSON.stringify(row));
        return true;
      },
      TALK_LIMIT_MS,
    );
  }

  async #bothHear(): Promise<string> {
    const beganAt = systemClock.monotonic();
    const tones = { customer: toneOfNumber(this.customer.to), agent: toneOfExtension(EXTENSION) };
    await waitUntil(
      'both to hear each other',
      async () => {
        const heard = await this.#rig.people.listen({ customer: this.customer }, { agent: tones.agent });
        const ears = { phone: await this.phone.hears(tones), customer: heard['customer'] };
        expectEqual('who hears whom', ears, { phone: ['customer'], customer: ['agent'] });
        return true;
      },
      HEARD_LIMIT_MS,
    );
    return `both ears within ${Math.round(systemClock.monotonic() - beganAt)} ms`;
  }
}
