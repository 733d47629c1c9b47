import type { SoftphoneStore } from '#ports/softphone-store.ts';
import type { Ports } from '#ports/ports.ts';
import type { AgentCallHost } from './agent-call-actor.ts';

export interface SuspectCallDeps extends Pick<Ports, 'ids'> {
  softphoneCalls: Pick<SoftphoneStore, 'listOpen'>;
  agentCallHost: AgentCallHost;
}

/** Calls looked at in one breath. */
const PAGE = 200;

/** A cell is back: events were lost meanwhile, so the legs of every call there are looked at now. Source: A6 step 11 */
export async function suspectCalls({ softphoneCalls, agentCallHost, ids }: SuspectCallDeps, cellId: string): Promise<void> {
  let afterId = 0;
  for (;;) {
    const page = await softphoneCalls.listOpen(afterId, PAGE);
    const there = page.filter(call => call.legs.some(leg => leg.cellId === cellId));
    await Promise.all(there.map(call => agentCallHost.send(call.requestId, { type: 'callSuspected' }, `suspect:${ids()}`)));
    if (page.length < PAGE) return;
    afterId = page.at(-1)?.id ?? afterId;
  }
}
