import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EventSource } from 'eventsource';
import { ADMIN, INTERNAL_TOKEN } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type ServeProcess, type ServeRig, startServeRig } from '#test/support/serve-process.ts';

const WATCHERS = 5;
/** Servers start, and a client reconnects after its `retry`, on a machine that may stall. */
const WAIT_MS = 60_000;

let rig: ServeRig;
const servers: ServeProcess[] = [];
beforeAll(async () => {
  rig = await startServeRig({ talkMs: { minMs: 120_000, maxMs: 120_000 } });
  servers.push(await rig.serve(), await rig.serve());
}, 120_000);
afterAll(() => rig.close(), WAIT_MS);

/** Address of the clients, in front of whichever instance is alive. */
async function startBalancer(port: number) {
  const wires = new Set<Socket>();
  const target = { port };
  const server = createServer(client => {
    const upstream = connect({ host: '127.0.0.1', port: target.port });
    wires.add(client);
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined);
      socket.once('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the balancer has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    pointTo: (next: number) => {
      target.port = next;
    },
    close() {
      for (const wire of wires) wire.destroy();
      server.close();
    },
  };
}

interface Told {
  callKey: string;
  version: number;
  call?: { callKey: string; version: number };
  calls?: { callKey: string; version: number }[];
  segment?: { text: string };
}

const NAMES = ['snapshot', 'resync', 'call-resync', 'call-started', 'call-changed', 'segment', 'assignment', 'call-ended'];

/** A page that relies on its events; an unreported change is a fault. */
function watch(url: string) {
  const source = new EventSource(url);
  let known = new Map<string, number>();
  const seen: string[] = [];
  const faults: string[] = [];
  const texts = new Set<string>();
  for (const name of NAMES) {
    source.addEventListener(name, ({ data }) => {
      const told = JSON.parse(data) as Told;
      seen.push(name);
      if (told.segment) texts.add(told.segment.text);
      if (name === 'resync') known = new Map();
      else if (told.calls) known = new Map(told.calls.map(({ callKey, version }) => [callKey, version]));
      else {
        const before = known.get(told.callKey) ?? 0;
        // Events of one change share its version.
        if (!told.call && told.version !== before && told.version !== before + 1) faults.push(`${name} ${before} → ${told.version}`);
        known.set(told.callKey, told.version);
      }
    });
  }
  return { source, seen, faults, texts, known: () => known };
}

test('when an instance is killed under load its event streams continue at the other, with a resync and no gap [A1.1, D10, I8]', async () => {
  const [first, second] = servers;
  if (!first || !second) throw new Error('two servers were started');
  const portOf = ({ url }: ServeProcess) => Number(new URL(url).port);
  const balancer = await startBalancer(portOf(first));
  const login = await second.api('POST', '/api/auth/login', ADMIN);
  const page = `${balancer.url}/api/live-calls/events?access_token=${String(login.data['token'])}`;
  const watchers = Array.from({ length: WATCHERS }, () => watch(page));
  await waitUntil('every snapshot', () => watchers.every(({ seen }) => seen.includes('snapshot')), WAIT_MS);
  await rig.start(second, 4, { maxConcurrency: 4 });
  await waitUntil('calls', () => watchers.every(({ known }) => known().size === 4), WAIT_MS);
  const callKeys = [...(watchers[0]?.known().keys() ?? [])];
  let said = 0;
  const say = async () => {
    said += 1;
    const requestId = callKeys[said % callKeys.length]?.slice('request:'.length);
    const segment = { segmentId: `s${said}`, speaker: 'customer', text: `第${said}句` };
    const answer = await fetch(`${second.url}/api/call-progress`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Callout-Internal-Token': INTERNAL_TOKEN },
      body: JSON.stringify({ requestId, kind: 'segment', segment }),
    });
    expect(answer.status).toBe(200);
    return segment.text;
  };
  const sayUntil = async (what: string, isDone: () => boolean) => {
    const load = (async () => {
      while (!isDone()) await say();
    })();
    await Promise.all([load, waitUntil(what, isDone, WAIT_MS)]);
  };
  await sayUntil('captions at every page', () => watchers.every(({ texts }) => texts.size > 20));
  first.child.kill('SIGKILL');
  balancer.pointTo(portOf(second));
  // The load continues while they are away and while they come back.
  await sayUntil('every page to come back', () => watchers.every(({ seen }) => seen.includes('resync')));
  const last = await say();
  await waitUntil('the last caption at every page', () => watchers.every(({ texts }) => texts.has(last)), WAIT_MS);
  for (const { faults, seen } of watchers) {
    expect(faults).toEqual([]);
    expect(seen.filter(name => name === 'resync' || name === 'snapshot')).toEqual(['snapshot', 'resync', 'snapshot']);
  }
  expect(new Set(watchers.map(({ known }) => JSON.stringify([...known()].map(String).sort()))).size).toBe(1);
  for (const { source } of watchers) source.close();
  balancer.close();
}, 240_000);
