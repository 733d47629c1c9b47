import { createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { decodeEvent, FrameDecoder } from '#platform/freeswitch/esl-codec.ts';
import { openEsl } from '#platform/freeswitch/esl-connection.ts';
import { CommandDecoder } from '#tools/switch/command-decoder.ts';
import type { Routes } from '#tools/switch/dial-string.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { outcomeTeller } from '#test/unit/platform/freeswitch/outcome-words.ts';
import { type Exchange, readRecording } from '#test/unit/platform/freeswitch/recording.ts';
import { hastyClock, startSimulator } from '#test/support/switch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const HASTE = 40;
const PASSWORD = 'ClueCon';
const REPLY_TIMEOUT_MS = 15_000;

/** Routes of the recordings' environment beyond the callee's numbers. */
const ROUTES: Routes = {
  profiles: ['external', 'internal'],
  gateways: { gw1: 'up', gwping: 'down', gwdead: 'dead' },
  users: { 1000: 'registered', 1005: 'unregistered' },
  hosts: { '127.0.0.1:5097': 'silent', '127.0.0.1:5099': 'closed' },
};

/** Every outcome of README §3, and the commands around it. Loopback is left out: the simulator has no second leg. */
const SCENARIOS = [
  'a5-misc-commands',
  'b-404-plain',
  'b-408-plain',
  'b-410-plain',
  'b-480-plain',
  'b-484-plain',
  'b-488-plain',
  'b-500-plain',
  'b-503-plain',
  'b-603-plain',
  'b-answered-bye-plain',
  'b-api-originate-busy-plain',
  'b-bad-app-plain',
  'b-busy-plain',
  'b-early-media-not-ignored-plain',
  'b-earlymedia-answer-plain',
  'b-earlymedia-busy-plain',
  'b-endpoint-unknown-plain',
  'b-exten-plain',
  'b-failover-plain',
  'b-gw-dead-plain',
  'b-gw-down-ping-plain',
  'b-gw-nonexistent-plain',
  'b-gw1-answered-plain',
  'b-kill-answered-plain',
  'b-kill-while-ringing-plain',
  'b-no-exten-plain',
  'b-noanswer-plain',
  'b-null-plain',
  'b-profile-nonexistent-plain',
  'b-reject-originate-two-legs-plain',
  'b-unreachable-blackhole-plain',
  'b-unreachable-icmp-plain',
  'b-user-not-registered-plain',
  'b-user-registered-plain',
  'b-user-unknown-plain',
  'd-conference-plain',
  'e-fsctl-pause-outbound',
  'p5-own-job-uuid',
];

interface Step {
  line: string;
  headers: Record<string, string>;
  /** Facts received before the recorded client sent this. */
  factsBefore: number;
  /** Recorded pause before it, in ms. */
  pauseMs: number;
}

/** Commands of the recorded client after authentication, with their timing. */
function stepsOf(exchanges: readonly Exchange[]): { steps: Step[]; facts: number } {
  const [decoder, frames, tell] = [new CommandDecoder(), new FrameDecoder(), outcomeTeller(true)];
  const steps: Step[] = [];
  let facts = 0;
  let saidAt = 0;
  for (const { t, dir, bytes } of exchanges) {
    if (dir === 'S->C') {
      facts += frames.push(bytes).filter(frame => tellOf(tell, decodeEvent(frame)) !== null).length;
    } else {
      const said = decoder
        .push(bytes)
        .map(({ line, headers }) => ({ line, headers: Object.fromEntries(headers), factsBefore: facts, pauseMs: (t - saidAt) * 1_000 }));
      saidAt = t;
      steps.push(...said.filter((_step, index) => steps.length + index > 0 || !isFirstAuth(said[index]?.line)));
    }
  }
  return { steps, facts };
}

function isFirstAuth(line: string | undefined): boolean {
  return line === `auth ${PASSWORD}`;
}

function tellOf(tell: ReturnType<typeof outcomeTeller>, event: ReturnType<typeof decodeEvent>): string | null {
  return event === null ? null : tell(event);
}

/** Sends the recording's commands with the product's client; returns replies and facts with ids and numbers normalised. */
async function play(port: number, name: string) {
  const clock = hastyClock(HASTE);
  const { steps, facts } = stepsOf(readRecording(name));
  const [tell, told, replies]: [ReturnType<typeof outcomeTeller>, string[], string[]] = [outcomeTeller(true), [], []];
  const connection = await openEsl({
    target: { host: '127.0.0.1', port, password: PASSWORD },
    clock: systemClock,
    connectTimeoutMs: 2_000,
    silenceLimitMs: null,
    signal: new AbortController().signal,
    onEvent: event => told.push(...(tell(event) === null ? [] : [tell(event) ?? ''])),
    onClose: () => undefined,
  });
  for (const step of steps) {
    await waitUntil(`${step.factsBefore} facts before ${step.line}`, () => told.length >= step.factsBefore);
    await sleep(clock, step.pauseMs);
    const argument = /^api (.+)$/i.exec(step.line)?.[1];
    const isLast = step.line === '...' || step.line === 'exit';
    const command = argument === undefined ? connection.command(step.line, REPLY_TIMEOUT_MS, capitalised(step.headers)) : null;
    const text = command ? (await command).text : await connection.api(argument ?? '', REPLY_TIMEOUT_MS);
    replies.push(`${step.line} => ${alike(essence(step.line, text))}`);
    if (isLast) break;
  }
  await waitUntil(`all ${facts} facts`, () => told.length >= facts);
  connection.destroy('played');
  return { replies, told };
}

function capitalised(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name === 'job-uuid' ? 'Job-UUID' : name, value]));
}

/** Replies of which a client reads only a part, or which come at another time. */
const UNREAD = /^api conference( .+ (xml_list|dial .*))?$/;

function essence(line: string, text: string): string {
  if (UNREAD.test(line)) return 'some text';
  if (!line.endsWith('json_list') || !text.startsWith('[{')) return text;
  const rooms: { conference_name: string; member_count: number; members: { id: number; flags: { can_speak: boolean } }[] }[] =
    JSON.parse(text);
  return rooms
    .map(
      room =>
        `${room.conference_name} ${room.members.map(({ id, flags }) => `m${id} ${flags.can_speak ? 'speaks' : 'listens'}`).join(', ')}`,
    )
    .join('; ');
}

/** Normalises ids, counts and times, which differ from run to run. */
function alike(text: string): string {
  return text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID').replace(/\d+(\.\d+)?/g, 'N');
}

/** A server that replays the real switch: a recorded chunk after each recorded command. */
async function replay(name: string): Promise<{ port: number; close(): Promise<void> }> {
  const exchanges = readRecording(name);
  const server = createServer(socket => {
    let at = 0;
    const decoder = new CommandDecoder();
    const speak = () => {
      for (; exchanges[at]?.dir === 'S->C'; at += 1) socket.write(exchanges[at]?.bytes ?? '');
    };
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      for (let left = decoder.push(chunk).length; left > 0; left -= 1) {
        if (exchanges[at]?.dir === 'C->S') at += 1;
        speak();
      }
    });
    speak();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return { port: address.port, close: () => new Promise(resolve => server.close(() => resolve())) };
}

describe('the simulator and the recorded switch report the same to the same client [fixtures/esl]', () => {
  test.each(SCENARIOS)('%s', async name => {
    const recorded = await replay(name);
    const expected = await play(recorded.port, name);
    await recorded.close();

    const simulator = await startSimulator({ password: PASSWORD, clock: hastyClock(HASTE), routes: ROUTES });
    const simulated = await play(simulator.port, name);
    await simulator.close();

    expect(expected.replies.length).toBeGreaterThan(0);
    expect(simulated).toEqual(expected);
  });
});
