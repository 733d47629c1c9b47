import { POOL_BEAT_MS } from '#protocol/pool.ts';
import { systemClock } from '#kernel/clock.ts';
import { type Bench, type Check, leftOut, OK, type Verdict, within } from '../check.ts';
import { begin, hangUp, REPORT_MS, untilWhole } from '../course.ts';
import { insist } from '../fault.ts';

/** How far the server's clock is ahead of the runtime's, in ms: much more than the allowed age of a proof. */
const SKEW_MS = 600_000;
const NEEDS_TOKEN = 'needs --run, or the internal token of the runtime in CALLOUT_INTERNAL_TOKEN';

const faultsOf = ({ server }: Bench) => [...server.proof.faults].join('; ');

/** A call from its start to its result, all of whose messages must be signed. */
async function callIsSigned(bench: Bench): Promise<void> {
  const call = await begin(bench);
  await within('a caption', REPORT_MS, () => call.captions.length > 0);
  await hangUp(bench, call);
  await untilWhole(call, REPORT_MS);
  insist(bench.server.proof.faults.size === 0, faultsOf(bench));
}

/** Waits for a hello or beat that is signed by the clock of the responses. */
function untilInTime({ server, runtimeId }: Bench): Promise<unknown> {
  const since = systemClock.monotonic();
  const words = () => server.runtimes.get(runtimeId)?.words ?? [];
  return within('hello or beat that goes by the serverTime of STALE_PROOF', POOL_BEAT_MS + REPORT_MS, () =>
    words().some(({ at }) => at > since),
  );
}

async function goByServerTime(bench: Bench): Promise<Verdict> {
  const { proof } = bench.server;
  if (!proof.isAsked) return leftOut(NEEDS_TOKEN);
  proof.aheadMs = SKEW_MS;
  try {
    await untilInTime(bench);
    proof.faults.clear();
    await callIsSigned(bench);
  } finally {
    proof.aheadMs = 0;
  }
  await untilInTime(bench);
  return OK;
}

/** Signatures of a runtime, where the server has an internal token. Source: D3.8 */
export const SIGNING: readonly Check[] = [
  {
    title: 'signs what it sends with the internal token',
    async run(bench) {
      if (!bench.server.proof.isAsked) return leftOut(NEEDS_TOKEN);
      await callIsSigned(bench);
      return OK;
    },
  },
  { title: "signs by the server's clock, ten minutes ahead: STALE_PROOF", run: goByServerTime },
];
