import { connectToRead } from '#app/connect.ts';
import { callJournals } from '#calls/call-journals.ts';
import { type ReplayReport, replayCall } from '#calls/replay-call.ts';
import { systemClock } from '#kernel/clock.ts';
import { isUuid } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { readProcessConfig } from '#platform/config/config-command.ts';
import type { Config } from '#platform/config/shape.ts';
import { asksForHelp, type Command, refuseConfig, StartError } from '#platform/process.ts';
import { redisActorStore } from '#platform/redis/actor-store.ts';

const EX_USAGE = 64;
const EX_UNAVAILABLE = 69;
const EXIT_CODES: Readonly<Record<ReplayReport['verdict'], number>> = { same: 0, differs: 1, cannot: 2 };

const HELP = `Usage: npm run replay -- <requestId>

Walks the machines of a call again, from their first state through every event of its journal, prints each step, and compares what is decided now with
what was decided then, and the end with the stored state. It reads PostgreSQL and Redis of the configuration, writes nothing and calls nobody.

<requestId> is the UUID of the dial: on the call's page, in the log, and the name of the channel at the switch.

Exit codes: 0 it ends in the stored state, 1 it does not, and the output says where, 2 nobody can tell (unknown call, no journal, an incomplete one, or
the machines have changed since), 64 arguments, 69 a service is not to be had, 78 wrong configuration
`;

/** `replay`: whether a call's journal leads to its stored state (D14.9). */
export const replayCommand: Command = async args => {
  const [requestId = ''] = args;
  if (asksForHelp(args)) {
    process.stdout.write(HELP);
    return 0;
  }
  if (args.length !== 1 || !isUuid(requestId)) {
    process.stderr.write(`callout: the request id of a call is needed, a UUID\n\n${HELP}`);
    return EX_USAGE;
  }
  const configured = await readProcessConfig();
  return configured.ok ? replayIn(configured.config, requestId.toLowerCase()) : refuseConfig(configured.faults);
};

async function replayIn(config: Config, requestId: string): Promise<number> {
  await using stack = new AsyncDisposableStack();
  try {
    const { database: db, redis } = await connectToRead(config, silentLog, stack);
    const parts = { db, callStore: redisActorStore(redis), journals: callJournals(db, systemClock) };
    const { verdict, lines } = await replayCall(parts, requestId);
    process.stdout.write(`${lines.join('\n')}\n`);
    return EXIT_CODES[verdict];
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`callout: ${error.message}\n`);
    return EX_UNAVAILABLE;
  }
}
