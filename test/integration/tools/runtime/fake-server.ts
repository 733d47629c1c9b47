import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { StartCommand } from '#protocol/hand-over.ts';
import { captionSubject, commandSubject, RUNTIME_STREAM, RUNTIME_SUBJECTS } from '#protocol/subjects.ts';
import { compileRuntime } from '#scripts/decisions/compile.ts';
import { scriptBody } from '#scripts/routes.ts';
import example from '../../../../examples/spring-visit.script.json' with { type: 'json' };

/** The server's side of the bus: the stream, the script, the hang-up; it records everything. */
export interface FakeServer {
  connection: NatsConnection;
  hangups: string[];
  captions: { requestId: string; text: string; final: boolean }[];
  createStream(): Promise<void>;
  /** Reports in the stream, in order: kind and body. */
  reports(): Promise<{ kind: string; body: Record<string, unknown> }[]>;
  start(requestId: string): Promise<unknown>;
  command(requestId: string, name: string, body: object): Promise<unknown>;
  close(): Promise<void>;
}

export async function startFakeServer(url: string): Promise<FakeServer> {
  const { host, username: user, password: pass } = new URL(url);
  const connection = await connect({ servers: host, user, pass, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
  const hangups: string[] = [];
  const captions: FakeServer['captions'] = [];
  const answer = (message: Msg, data: unknown) => void message.respond(JSON.stringify({ ok: true, data }));
  const script = compileRuntime({ ...scriptBody.parse(example), id: 7, version: 2 });
  const on = (subject: string, listener: (message: Msg) => void) =>
    connection.subscribe(subject, { callback: (_error, message) => listener(message) });
  on('callout.v1.script.7.runtime', message => answer(message, script));
  on('callout.v1.actor.call.*.hangup', message => {
    const requestId = message.subject.split('.')[4] ?? '';
    hangups.push(requestId);
    answer(message, { requestId });
  });
  on('callout.v1.captions.*', message => {
    const event = message.json<{ requestId: string; segment: { text: string; final: boolean } }>();
    captions.push({ requestId: event.requestId, ...event.segment });
  });
  const command = async (requestId: string, name: string, body: object): Promise<unknown> =>
    (await connection.request(commandSubject(requestId, name), JSON.stringify(body), { timeout: 3_000 })).json();
  return {
    connection,
    hangups,
    captions,
    async createStream() {
      const manager = await jetstreamManager(connection);
      await manager.streams.add({ name: RUNTIME_STREAM, subjects: [RUNTIME_SUBJECTS] });
    },
    async reports() {
      const manager = await jetstreamManager(connection);
      const { state } = await manager.streams.info(RUNTIME_STREAM);
      const reports = [];
      for (let seq = 1; seq <= state.last_seq; seq++) {
        const message = await manager.streams.getMessage(RUNTIME_STREAM, { seq });
        if (message) reports.push({ kind: message.subject.split('.')[3] ?? '', body: message.json<Record<string, unknown>>() });
      }
      return reports;
    },
    command,
    start: requestId => command(requestId, 'start', offerOf(requestId)),
    close: () => connection.close(),
  };
}

function offerOf(requestId: string): StartCommand {
  return {
    requestId,
    attemptId: 11,
    campaignId: 3,
    scriptId: 7,
    scriptVersion: 2,
    captionSubject: captionSubject(requestId),
    variables: { shop: '城南营业厅' },
    metadata: { callout_simulated_callee: 'person' },
  };
}
