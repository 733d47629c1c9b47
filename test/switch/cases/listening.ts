import { waitUntil } from '#test/support/wait-until.ts';
import type { PhoneLeg } from '../people.ts';
import type { Report } from '../report.ts';
import { type ConsoleServer, type SwitchRig, USER_PASSWORD } from '../switch-rig.ts';
import { freeAgent, hangUpAll } from './campaign.ts';
import { type Hearing, textOf, untilHeard } from './hearing.ts';
import { type LiveCall, liveCall } from './people-acts.ts';

const AREA = 'listening';
const EXTENSION = '1002';
const USERNAME = 'listening-supervisor';
/** Longest time from the answer, or the command, until the audio is heard, in ms. */
const HEARD_LIMIT_MS = 6_000;
const GONE_LIMIT_MS = 3_000;

/** A supervisor's phone follows a customer who talks with the bot alone; each step checks what each party hears. */
export async function checkListening(rig: SwitchRig, report: Report): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const server = await rig.startConsoleServer(stack, []);
  const story = new Story(rig, server);
  const step = (name: string, work: () => Promise<string>) => report.check(AREA, name, work);
  await step('listen: the phone hears the customer, and is not heard', () => story.begin());
  await step('barge: the customer hears it too', () => story.change('barge', HEARD));
  await step('listen again: it is mute', () => story.change('listen', UNHEARD));
  await step('the customer hangs up: the phone is released', () => story.end());
  await hangUpAll(rig);
}

const UNHEARD: Hearing = { customer: [], supervisor: ['customer'] };
const HEARD: Hearing = { customer: ['supervisor'], supervisor: ['customer'] };

class Story {
  readonly #rig: SwitchRig;
  readonly #server: ConsoleServer;
  #token = '';
  #call: LiveCall | null = null;
  #phone: PhoneLeg | null = null;

  constructor(rig: SwitchRig, server: ConsoleServer) {
    this.#rig = rig;
    this.#server = server;
  }

  async begin(): Promise<string> {
    const { user } = await this.#rig.rest('POST', '/api/users', {
      username: USERNAME,
      password: USER_PASSWORD,
      role: 'supervisor',
      displayName: '旁听主管',
    });
    const agentId = await freeAgent(this.#rig, EXTENSION);
    await this.#rig.rest('PATCH', `/api/agents/${agentId}`, { userId: user.id });
    this.#token = await this.#server.tokenOf(USERNAME);
    this.#call = await liveCall(this.#rig, 1_640);
    await this.#ask('listen');
    this.#phone = await this.#rig.people.answer(EXTENSION);
    return this.#hears(UNHEARD);
  }

  async change(mode: 'listen' | 'barge', wanted: Hearing): Promise<string> {
    await this.#ask(mode);
    return this.#hears(wanted);
  }

  async end(): Promise<string> {
    const { call, phone } = this.#parties();
    await this.#rig.people.process.api(`uuid_kill ${call.customer.uuid}`);
    await waitUntil(
      'the phone to be released',
      async () => (await this.#rig.people.process.api(`uuid_exists ${phone.uuid}`)).trim() === 'false',
      GONE_LIMIT_MS,
    );
    return 'released';
  }

  #parties(): { call: LiveCall; phone: PhoneLeg } {
    if (this.#call === null || this.#phone === null) throw new Error('there is no call to listen to');
    return { call: this.#call, phone: this.#phone };
  }

  async #ask(mode: string): Promise<void> {
    const response = await fetch(`${this.#server.url}/api/live-calls/request:${this.#call?.requestId}/listen`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${this.#token}` },
      body: JSON.stringify({ mode }),
    });
    if (!response.ok) throw new Error(`${mode}: ${response.status} ${await response.text()}`);
  }

  async #hears(wanted: Hearing): Promise<string> {
    const { call, phone } = this.#parties();
    const tookMs = await untilHeard(this.#rig, { customer: call.customer, supervisor: phone }, wanted, HEARD_LIMIT_MS);
    return `${textOf(wanted)} after ${Math.round(tookMs)} ms`;
  }
}
