import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { SwitchSimulator } from '#tools/switch/simulator.ts';
import { runtimeMessageId, runtimeSubject, START_PROBE_SUBJECT, START_SUBJECTS } from '#protocol/subjects.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { reportStart } from '#test/support/dispatch-rig.ts';
import { INTERNAL_TOKEN } from '#test/support/server.ts';
import { signedBy } from '#test/support/signed.ts';

/** A runtime that follows the contract: accepts calls, and publishes each result until the durable inbox acknowledges it. */
export async function startStubbornRuntime(natsUrl: string, simulator: SwitchSimulator) {
  const url = new URL(natsUrl);
  const connection = await connect({ servers: url.host, maxReconnectAttempts: -1, reconnectTimeWait: 100, ignoreAuthErrorAbort: true });
  const reported = new Set<string>();
  const closing = new AbortController();
  const report = async (requestId: string) => {
    while (!closing.signal.aborted && !reported.has(requestId)) {
      try {
        const body = JSON.stringify({ callStatus: 'completed', payload: { result: { recognizedText: '好的' } } });
        const [subject, msgID] = [runtimeSubject('result', requestId), runtimeMessageId(requestId, 'result', 1)];
        const signed = signedBy(INTERNAL_TOKEN, { subject, text: body, id: msgID });
        await jetstream(connection, { timeout: 500 }).publish(subject, body, { msgID, ...signed });
        reported.add(requestId);
      } catch {
        // The bus is down, which is the subject of the test.
        await sleep(systemClock, 100, closing.signal);
      }
    }
  };
  // A runtime sees the hang-up in its media, for which the simulator's record stands.
  const watching = (async () => {
    const seen = new Set<string>();
    while (!closing.signal.aborted) {
      for (const channel of simulator.record().channels) {
        if (channel.answeredAt === null || channel.endedAt === null || channel.cause === 'LOST' || seen.has(channel.uuid)) continue;
        seen.add(channel.uuid);
        void report(channel.uuid);
      }
      await sleep(systemClock, 20, closing.signal);
    }
  })();
  connection.subscribe(START_SUBJECTS, {
    queue: 'stubborn-runtime',
    callback: (_error, message) => {
      // A probe only checks whether any runtime accepts calls: any response will do.
      if (message.subject === START_PROBE_SUBJECT) {
        message.respond('{"ok":false,"code":"INVALID","msg":"no call"}');
        return;
      }
      message.respond('{"ok":true}');
      const requestId = message.subject.split('.')[3] ?? '';
      reportStart(connection, requestId);
      simulator.attend(requestId);
    },
  });
  await connection.flush();
  return {
    reported,
    async close() {
      closing.abort();
      await watching;
      await connection.close();
    },
  };
}
