import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { SwitchSimulator } from '#tools/switch/simulator.ts';
import { runtimeMessageId, runtimeSubject, START_PROBE_SUBJECT, START_SUBJECTS } from '#contract/nats/subjects.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { INTERNAL_TOKEN } from '#test/support/server.ts';
import { signedBy } from '#test/support/signed.ts';

/** A runtime as the contract asks for: takes calls, and hands each result to the durable inbox until that has it. */
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
        // The bus is away: that is what the test is about.
        await sleep(systemClock, 100, closing.signal);
      }
    }
  };
  // It hears the hang-up from the media itself, so the simulator's record stands for it.
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
      // Whether anybody takes calls here: an answer is enough.
      if (message.subject === START_PROBE_SUBJECT) {
        message.respond('{"ok":false,"code":"INVALID","msg":"no call"}');
        return;
      }
      message.respond('{"ok":true}');
      const requestId = message.subject.split('.')[3] ?? '';
      connection.publish(runtimeSubject('started', requestId), JSON.stringify({ requestId, kind: 'started', seq: 0 }));
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
