import { connect } from '@nats-io/transport-node';
import { poolSubject, runtimeSubject } from '#protocol/subjects.ts';
import { poolMember, poolOf } from './pool-members.ts';
import type { DispatchRig } from './dispatch-rig.ts';
import { signedBy } from './signed.ts';
import { INTERNAL_TOKEN } from './server.ts';

/** A command that the runtime received. */
export interface ReceivedCommand {
  name: string;
  requestId: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/**
 * A registered runtime in place of a program: it takes every call addressed to it, reports that it has begun, and answers commands as `answers` says.
 *
 * Shape: `commands` names the optional commands of its registration; null for a runtime that names none
 */
export async function startPoolRuntime(
  { server, simulator }: Pick<DispatchRig, 'server' | 'simulator'>,
  { runtimeId, commands, ...more }: { runtimeId: string; commands: readonly string[] | null; businessCodes?: readonly string[] },
) {
  const connection = await connect({ servers: server.nats.url });
  const received: ReceivedCommand[] = [];
  const calls = new Set<string>();
  /** Answer by command; absent: `ok`. */
  const answers = new Map<string, object | null>();
  connection.subscribe(poolSubject(runtimeId, 'start'), {
    callback(_error, message) {
      const { requestId, epoch } = message.json<{ requestId: string; epoch: number }>();
      calls.add(requestId);
      message.respond(JSON.stringify({ ok: true, runtimeId, epoch }));
      simulator.attend(requestId);
      const [subject, text] = [
        runtimeSubject('started', requestId),
        JSON.stringify({ requestId, runtimeId, epoch, kind: 'started', seq: 0 }),
      ];
      connection.publish(subject, text, signedBy(INTERNAL_TOKEN, { subject, text }));
    },
  });
  connection.subscribe('callout.v1.command.*.*', {
    callback(_error, message) {
      const [requestId = '', name = ''] = message.subject.split('.').slice(3);
      if (!calls.has(requestId)) return;
      received.push({ requestId, name, body: message.json() });
      const answer = answers.get(name);
      if (answer !== null) message.respond(JSON.stringify(answer ?? { ok: true, runtimeId }));
    },
  });
  await connection.flush();
  await poolOf(server).beat(poolMember({ runtimeId, ...more, ...(commands === null ? {} : { commands }) }));
  return {
    received,
    answers,
    named: (name: string) => received.filter(one => one.name === name),
    async close() {
      await poolOf(server).bye(runtimeId);
      await connection.close();
    },
  };
}
