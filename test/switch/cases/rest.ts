import { waitUntil } from '#test/support/wait-until.ts';
import { expectEqual, type Report } from '../report.ts';
import type { SwitchRig } from '../switch-rig.ts';
import { freeAgent } from './campaign.ts';

const SETTLE_LIMIT_MS = 20_000;

/** At the end: no channel, no open dial, no conference and no busy agent is left, and no program has exited by itself. */
export async function checkRest(rig: SwitchRig, report: Report): Promise<void> {
  await report.check('rest', 'nothing is left at the end', async () => {
    await waitUntil('no channel at the switch', async () => (await channelsOf(rig)) === 0, SETTLE_LIMIT_MS);
    const open = async () => (await rig.rest('GET', '/api/overview')).activeCalls === 0;
    await waitUntil('no call in the overview', open, SETTLE_LIMIT_MS);
    const rooms = async () => (await rig.rest('GET', '/api/conference-sessions')).rows.length === 0;
    await waitUntil('no conference', rooms, SETTLE_LIMIT_MS);
    for (const extension of rig.agents.keys()) await freeAgent(rig, extension);
    expectEqual('ends of the server that nobody asked for', rig.server.unexpectedEnds, []);
    return 'no channel, no call, no conference, all agents free';
  });
}

async function channelsOf({ cell }: SwitchRig): Promise<number> {
  const answer: { row_count: number } = JSON.parse(await cell.api('show channels count as json'));
  return answer.row_count;
}
