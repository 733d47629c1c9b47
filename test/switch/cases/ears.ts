import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { customerNumber, type PhoneLeg, toneOfExtension, toneOfNumber } from '../people.ts';
import { expectAtMost, expectEqual, type Report } from '../report.ts';
import type { SwitchRig } from '../switch-rig.ts';
import { hearTone, readWav } from '../tones.ts';
import { freeAgent, hangUpAll } from './campaign.ts';
import { type Ears, type Hearing, textOf, untilHeard } from './hearing.ts';
import { type Conference, type LiveCall, liveCall, routeTransfer } from './people-acts.ts';

const AREA = 'transfer';
/** Longest time from the answer, or the command, until the audio is heard, in ms. */
const HEARD_LIMIT_MS = 6_000;
/** Longest time from a command to the end of a leg, in ms. */
const GONE_LIMIT_MS = 2_000;
const FILE_LIMIT_MS = 5_000;

/** One customer and everyone who joins, step by step: after each step, what each party hears. */
export async function checkEars(rig: SwitchRig, report: Report): Promise<void> {
  const story = new Story(rig);
  const step = (name: string, work: () => Promise<string>) => report.check(AREA, name, work);
  await step('an agent takes the customer over', () => story.begin());
  await step('listen: a supervisor hears, and is not heard', () => story.listen());
  await step('barge: the listener speaks', () => story.changeSupervisor('barge', BARGED));
  await step('whisper: the agent alone hears the supervisor', () => story.whisper());
  await step('listen again: the supervisor is mute', () => story.changeSupervisor('listen', LISTENING));
  await step('whisper again: a party who joins hears none of it', () => story.whisperBesideAnother());
  await step('kick: the supervisor is removed', () => story.kick('supervisor'));
  await step('consult: the customer hears nobody', () => story.consult());
  await step('barge: a three-way call', () => story.meeting());
  await step('kick: the consulted party is removed', () => story.kick('third'));
  await step('blind: another agent has the customer', () => story.blind());
  await step('blind: an external number has the customer', () => story.outside());
  await step('the customer hangs up: every party is released', () => story.end());
  await step('the recording holds the voices', () => story.recording());
  await hangUpAll(rig);
}

const CS = ['customer', 'supervisor'];
const AS = ['agent', 'supervisor'];
const AC = ['agent', 'customer'];
const TALKING: Hearing = { agent: ['customer'], customer: ['agent'] };
const LISTENING: Hearing = { ...TALKING, supervisor: AC };
const BARGED: Hearing = { agent: CS, customer: AS, supervisor: AC };
const WHISPERING: Hearing = { agent: CS, customer: ['agent'], supervisor: AC };

class Story {
  readonly #rig: SwitchRig;
  #call: LiveCall | null = null;
  #conference: Conference | null = null;
  /** Parties in the room now. */
  #ears: Record<string, PhoneLeg> = {};
  readonly #memberIds = new Map<string, number>();

  constructor(rig: SwitchRig) {
    this.#rig = rig;
  }

  async begin(): Promise<string> {
    for (const extension of this.#rig.agents.keys()) await freeAgent(this.#rig, extension);
    this.#call = await liveCall(this.#rig, 1_600);
    this.#conference = await routeTransfer(this.#rig, this.#call, '1001');
    this.#ears = { agent: await this.#rig.people.answer('1001'), customer: this.#call.customer };
    return this.#hears(TALKING);
  }

  async listen(): Promise<string> {
    await this.#invite('supervisor', { mode: 'listen', agentId: this.#rig.agents.get('1002') });
    this.#ears['supervisor'] = await this.#rig.people.answer('1002');
    return this.#hears(LISTENING);
  }

  async changeSupervisor(mode: string, wanted: Hearing): Promise<string> {
    await this.#invite('supervisor', { mode, agentId: this.#rig.agents.get('1002') });
    return this.#hears(wanted);
  }

  async whisper(): Promise<string> {
    await this.#whisper();
    return this.#hears(WHISPERING);
  }

  async whisperBesideAnother(): Promise<string> {
    await this.#whisper();
    const targetNumber = customerNumber({ tone: 1_900, ringSeconds: 1 });
    await this.#invite('outsider', { mode: 'barge', targetNumber });
    this.#ears['outsider'] = await this.#rig.people.ringing(targetNumber);
    const heard = await this.#hears({
      agent: ['customer', 'supervisor', 'outsider'],
      customer: ['agent', 'outsider'],
      supervisor: ['agent', 'customer', 'outsider'],
      outsider: AC,
    });
    await this.kick('outsider', WHISPERING);
    await this.changeSupervisor('barge', BARGED);
    return heard;
  }

  /** The REST rows have no whisper mode. */
  async #whisper(): Promise<void> {
    const query = `mutation($id: ID!, $agentId: ID) { addParticipant(conferenceId: $id, input: { mode: WHISPER, agentId: $agentId }) {
      __typename ... on ConferenceLeg { mode } ... on Refusal { message } } }`;
    const variables = { id: String(this.#id), agentId: String(this.#rig.agents.get('1002')) };
    const { addParticipant } = await this.#rig.rest('POST', '/graphql', { query, variables });
    expectEqual('the part', addParticipant, { __typename: 'ConferenceLeg', mode: 'WHISPER' });
  }

  async consult(): Promise<string> {
    await this.#invite('third', { mode: 'consult', agentId: this.#rig.agents.get('1003') });
    this.#ears['third'] = await this.#rig.people.answer('1003');
    return this.#hears({ agent: ['third'], customer: [], third: ['agent'] });
  }

  async meeting(): Promise<string> {
    await this.#invite('third', { mode: 'barge', agentId: this.#rig.agents.get('1003') });
    return this.#hears({ agent: ['customer', 'third'], customer: ['agent', 'third'], third: AC });
  }

  async kick(who: string, left: Hearing = TALKING): Promise<string> {
    const leg = this.#ears[who];
    const memberId = this.#memberIds.get(who);
    if (!leg || memberId === undefined) throw new Error(`the ${who} is not there`);
    await this.#rig.rest('DELETE', `/api/conference-sessions/${this.#id}/participants/${memberId}`, { force: false });
    const ms = await this.#gone(leg);
    delete this.#ears[who];
    return `out after ${ms} ms; ${await this.#hears(left)}`;
  }

  /** The agent who had the customer leaves; the next one then counts as the agent. */
  async blind(): Promise<string> {
    await this.#invite('agent', { mode: 'blind', agentId: this.#rig.agents.get('1004') });
    return this.#handOver(await this.#rig.people.answer('1004'));
  }

  async outside(): Promise<string> {
    const targetNumber = customerNumber({ tone: 1_900, ringSeconds: 1 });
    await this.#invite('agent', { mode: 'blind', targetNumber });
    return this.#handOver(await this.#rig.people.ringing(targetNumber));
  }

  async #handOver(next: PhoneLeg): Promise<string> {
    const { agent } = this.#ears;
    if (!agent) throw new Error('no agent is there');
    await waitUntil('the next one to answer', () => next.answeredAt, HEARD_LIMIT_MS);
    this.#ears['agent'] = next;
    const heard = await this.#hears(TALKING);
    return `${heard}; the other one left after ${await this.#gone(agent, next.answeredAt ?? 0)} ms`;
  }

  async end(): Promise<string> {
    const { agent, customer } = this.#ears;
    if (!agent || !customer) throw new Error('nobody is there');
    await this.#rig.people.hangUp(customer);
    // The bot says goodbye to the remaining customer; the remaining agent is released with the customer.
    const ms = await this.#gone(agent, systemClock.now(), FILE_LIMIT_MS);
    for (const extension of this.#rig.agents.keys()) await freeAgent(this.#rig, extension);
    return `out after ${ms} ms, all agents free`;
  }

  async recording(): Promise<string> {
    const file = await waitUntil('the recording to be told', () => this.#recordingFile(), FILE_LIMIT_MS);
    const sound = await waitUntil('the recording to be there', () => (existsSync(file) ? readWav(file) : null), FILE_LIMIT_MS);
    const tones = { customer: toneOfNumber(this.#call?.customer.to ?? ''), agent: toneOfExtension('1001') };
    const heard = Object.entries(tones).map(([name, hertz]) => [name, hearTone(sound, hertz) !== 'silent']);
    expectEqual('voices in the recording', Object.fromEntries(heard), { customer: true, agent: true });
    return `${(sound.samples.length / sound.rate).toFixed(1)} s with both voices`;
  }

  async #recordingFile(): Promise<string | null> {
    const { session } = await this.#rig.rest('GET', `/api/conference-sessions/${this.#id}`);
    return session.recordingUrl === null ? null : join(this.#rig.recordingFolder, session.recordingUrl);
  }

  get #id(): number {
    if (!this.#conference) throw new Error('there is no conference');
    return this.#conference.conferenceId;
  }

  async #invite(who: string, body: object): Promise<void> {
    const { leg } = await this.#rig.rest('POST', `/api/conference-sessions/${this.#id}/participants`, body);
    this.#memberIds.set(who, Number(leg.softphoneCallId));
  }

  async #hears(wanted: Hearing): Promise<string> {
    const ears: Ears = Object.fromEntries(Object.keys(wanted).flatMap(name => (this.#ears[name] ? [[name, this.#ears[name]]] : [])));
    const ms = await untilHeard(this.#rig, ears, wanted, HEARD_LIMIT_MS);
    return `${textOf(wanted)} after ${Math.round(ms)} ms`;
  }

  async #gone(leg: PhoneLeg, since = systemClock.now(), limitMs = GONE_LIMIT_MS): Promise<number> {
    const endedAt = await waitUntil(`${leg.to} to be let go`, () => leg.endedAt, limitMs + FILE_LIMIT_MS);
    expectAtMost(`ms until ${leg.to} was let go`, endedAt - since, limitMs);
    return Math.max(0, Math.round(endedAt - since));
  }
}
