import { POOL_BEAT_MS } from '#protocol/pool.ts';
import { type Bench, type Check, leftOut, OK, within } from '../check.ts';
import { insist } from '../fault.ts';

/** Allowed delay of a beat, in ms. */
const BEAT_LEEWAY_MS = 2_000;

const words = ({ server, runtimeId }: Bench) => server.runtimes.get(runtimeId)?.words ?? [];

export const REGISTERING: readonly Check[] = [
  {
    title: 'hello is valid and names all that the server must know',
    run({ server, runtimeId }) {
      insist(server.faults.length === 0, server.faults.join('; '));
      const self = server.runtimes.get(runtimeId)?.self;
      const note = `${self?.name} ${self?.version}, contract ${self?.contract}, ${self?.maxCalls} calls, ${self?.nodeTypes.join(' ')}`;
      return Promise.resolve({ kind: 'ok', note });
    },
  },
  {
    title: "hears answers under its user's own prefix, by the option inboxPrefix",
    run({ server, runtimeId, inboxPrefix }) {
      if (inboxPrefix === null) return Promise.resolve(leftOut('needs --run and an address with a user'));
      const inbox = server.runtimes.get(runtimeId)?.inbox ?? '';
      const fault = `it hears answers under ${inbox.split('.')[0]}, which docker/nats.conf refuses: its inboxPrefix is ${inboxPrefix}`;
      insist(inbox.startsWith(`${inboxPrefix}.`), fault);
      return Promise.resolve(OK);
    },
  },
  {
    title: `beats every ${POOL_BEAT_MS / 1_000} s`,
    async run(bench) {
      for (let count = 0; count < 2; count++) {
        const before = words(bench).length;
        await within('a beat', POOL_BEAT_MS + BEAT_LEEWAY_MS, () => words(bench).length > before);
      }
      insist(bench.server.faults.length === 0, bench.server.faults.join('; '));
      return OK;
    },
  },
  {
    title: 'leaves the queue group of older servers',
    async run({ server }) {
      const fault = 'somebody still subscribes to callout.v1.command.*.start: they count as a runtime with unlimited places';
      insist(!(await server.hasQueueGroup()), fault);
      return OK;
    },
  },
];
