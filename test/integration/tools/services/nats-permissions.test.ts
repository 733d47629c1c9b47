import { systemClock } from '#kernel/clock.ts';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectNats, type NatsBus } from '#platform/nats/connect.ts';
import { findBinary } from '#tools/services/binaries.ts';
import { findFreePort } from '#tools/services/free-port.ts';
import { endProcess, spawnWatched } from '#tools/services/watched-process.ts';
import { connectLink, isUnheard, type NatsLink } from '#tools/runtime/nats-link.ts';
import { natsAddress, runtimeAddress } from '#protocol/address.ts';
import { CALL_COMMANDS } from '#protocol/asyncapi.ts';
import {
  actorSubject,
  captionSubject,
  CAPTION_SUBJECTS,
  commandSubject,
  commandsOf,
  POOL_HELLO_SUBJECT,
  runtimeSubject,
  TRANSFER_ROUTE_SUBJECT,
} from '#protocol/subjects.ts';
import { silentLog } from '#kernel/log.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { runRuntimeCheck } from '../runtime/check-process.ts';

// The users of docker/nats.conf on a real server: what production may publish and receive.

const CALL = '0338df3d-a19f-44c5-aedd-fe4247a4134e';
const PASSWORDS = { NATS_PASSWORD: 'server1', NATS_RUNTIME_PASSWORD: 'runtime1' };
const ending = new AsyncDisposableStack();
let server: NatsBus;
let runtime: NatsLink;
/** The runtime's user without its program. */
let raw: NatsConnection;
let serverUrl = '';
let runtimeUrl = '';
const refusals: string[] = [];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'callout-nats-'));
  ending.defer(() => rm(folder, { recursive: true, force: true }));
  const port = await findFreePort();
  const shipped = await readFile(join(import.meta.dirname, '../../../../docker/nats.conf'), 'utf8');
  const config = shipped
    .replace('port: 4222', `host: "127.0.0.1"\nport: ${port}`)
    .replace(/^http: .*$/m, '')
    .replace('/data', JSON.stringify(folder))
    // The permissions from before runtimes had inboxes of their own.
    .replace(
      'users: [',
      'users: [{ user: old-runtime, password: $NATS_RUNTIME_PASSWORD, permissions: { publish: ">", subscribe: "_INBOX.>" } }',
    )
    // A server older than 2.10 does not know it.
    .replace(/^\s*sync_interval: always$/m, '');
  await writeFile(join(folder, 'nats.conf'), config);
  const command = findBinary('nats-server', process.env) ?? 'nats-server';
  const args = ['-c', join(folder, 'nats.conf')];
  const child = spawnWatched({ command, args, env: PASSWORDS, deathSignal: 'KILL', output: 'ignore' });
  ending.defer(() => endProcess(child, 'SIGTERM'));
  const url = (user: string, password: string) => `nats://${user}:${password}@127.0.0.1:${port}`;
  serverUrl = url('callout', PASSWORDS.NATS_PASSWORD);
  runtimeUrl = url('callout-runtime', PASSWORDS.NATS_RUNTIME_PASSWORD);
  server = await waitUntil('the server', () =>
    connectNats(
      { url: serverUrl, connectTimeoutMs: 2_000, startTimeoutMs: 2_000, resultGraceMs: 60_000, clientName: 'test' },
      { clock: systemClock, log: silentLog },
    ).catch(() => null),
  );
  ending.defer(() => server.close());
  runtime = await connectLink({ url: runtimeUrl, name: 'runtime' }, silentLog);
  ending.defer(() => runtime.close());
  raw = await connect(runtimeAddress(runtimeUrl));
  ending.defer(() => raw.close());
  void (async () => {
    for await (const status of raw.status()) if (status.type === 'error') refusals.push(status.error.message);
  })();
});
afterAll(() => ending.disposeAsync());

describe('the runtime', () => {
  test('receives commands, responds to them, and sends the requests of its contract', async () => {
    runtime.subscribe(commandsOf(CALL), {}, message => message.respond({ ok: true }));
    await runtime.flush();
    for (const name of CALL_COMMANDS) expect(await server.request(commandSubject(CALL, name), {}, 2_000)).toEqual({ ok: true });
    const asked: string[] = [];
    for (const subject of [actorSubject('call', '*', 'hangup'), TRANSFER_ROUTE_SUBJECT]) {
      server.subscribe(subject, {}, ({ subject: of, respond }) => {
        asked.push(of);
        respond?.({ ok: true });
      });
    }
    // The subscriptions may still be in transit.
    const answerTo = (subject: string) => waitUntil(`an answer to ${subject}`, () => runtime.request(subject, {}, 2_000).catch(() => null));
    expect(await answerTo(actorSubject('call', CALL, 'hangup'))).toEqual({ ok: true });
    expect(await answerTo(TRANSFER_ROUTE_SUBJECT)).toEqual({ ok: true });
    expect(asked).toHaveLength(2);
  });

  test('its reports reach the inbox, its captions the server', async () => {
    const heard: unknown[] = [];
    server.subscribe(CAPTION_SUBJECTS, {}, ({ body }) => heard.push(body));
    const stop = await server.consumeReports(report => {
      heard.push(report.subject);
      report.ack();
    });
    await runtime.store(runtimeSubject('started', CALL), 'a', {});
    runtime.publish(captionSubject(CALL), { text: '您好' });
    await waitUntil('both', () => (heard.length === 2 ? true : null));
    await stop();
  });

  test.each([
    ['reads captions', () => raw.subscribe(CAPTION_SUBJECTS)],
    ['reads everything', () => raw.subscribe('callout.v1.>')],
    ['reads the deltas of live calls', () => raw.subscribe('callout.v1.live.>')],
    ['starts a campaign', () => raw.publish(actorSubject('campaign', 1, 'start'), '{}')],
    ['claims a call', () => raw.publish(actorSubject('call', CALL, 'claim'), '{}')],
    ['speaks to an actor as actors do', () => raw.publish(actorSubject('call', CALL, 'watchChanged'), '{}')],
    ['reads what actors tell each other', () => raw.subscribe(actorSubject('call', '*', 'watchChanged'))],
    ['ends sessions', () => raw.publish('callout.v1.events.session-ended', '{}')],
    ['reads the inbox', () => raw.publish('$JS.API.CONSUMER.MSG.NEXT.RUNTIME.callout-server', '')],
    ['commands another runtime', () => raw.publish(commandSubject(CALL, 'hangup'), '{}')],
    ['reads what servers are answered', () => raw.subscribe('_INBOX.>')],
    ['reads what runtimes of other users are answered', () => raw.subscribe('_INBOX_RUNTIME.other.>')],
    ['reads all answers', () => raw.subscribe('_INBOX_RUNTIME.>')],
  ])('never %s', async (_what, attempt) => {
    const before = refusals.length;
    attempt();
    await raw.flush();
    await waitUntil('the refusal', () => (refusals.length > before ? true : null));
    expect(refusals.at(-1)).toMatch(/permissions violation/i);
  });

  test('its own responses reach it under the prefix of its user, and no other user [A4]', async () => {
    const replies: (string | undefined)[] = [];
    const spy = await connect(natsAddress(serverUrl));
    spy.subscribe(POOL_HELLO_SUBJECT, {
      callback(_error, message) {
        replies.push(message.reply);
        message.respond('{"ok":true}');
      },
    });
    await spy.flush();
    const answer = await runtime.request(POOL_HELLO_SUBJECT, {}, 2_000);
    await spy.close();
    expect(answer).toEqual({ ok: true });
    expect(replies).toEqual([expect.stringMatching(/^_INBOX_RUNTIME\.callout-runtime\./)]);
  });

  test('a runtime whose user lacks its prefix gets that error, instead of finding no server [A4]', async () => {
    const lines: string[] = [];
    const log = { ...silentLog, error: (fields: object, text: string) => void lines.push(`${text} ${JSON.stringify(fields)}`) };
    const link = await connectLink({ url: runtimeUrl.replace('callout-runtime', 'old-runtime'), name: 'old' }, log);
    ending.defer(() => link.close());
    const refused = await link.request(POOL_HELLO_SUBJECT, {}, 2_000).catch((error: unknown) => error);
    expect(isUnheard(refused)).toBe(false);
    await waitUntil('the line', () => (lines.length > 0 ? true : null));
    expect(lines.join()).toContain('let it subscribe to _INBOX_RUNTIME.old-runtime.>');
  });
});

describe('runtime:check on these users', () => {
  test.each([
    ['reference', '"$NODE" --disable-warning=ExperimentalWarning tools/main.ts runtime --speed 4 --max-calls 5'],
    ['JavaScript', 'MAX_CALLS=5 SENTENCE_MS=2000 "$NODE" examples/runtime-minimal/runtime.mjs'],
    ['Python', 'MAX_CALLS=5 SENTENCE_MS=2000 python3 examples/runtime-minimal/runtime.py'],
  ])(
    '%s: every needed permission is granted',
    async (_name, command) => {
      const only = 'hello|inbox|beats|takes a call|customer hangs up|SIGTERM';
      const outcome = await runRuntimeCheck('--nats', serverUrl, '--runtime-nats', runtimeUrl, '--run', command, '--only', only);
      expect(outcome.output).not.toMatch(/^FAULT/m);
      expect(outcome.titles('ok').length).toBeGreaterThanOrEqual(6);
      expect(outcome.exitCode).toBe(0);
    },
    120_000,
  );
});
