import type { Branch } from '#protocol/nlu.ts';
import type { Understanding } from '#scripts/decisions/flow/walk-scope.ts';
import type { Log } from '#kernel/log.ts';
import type { Breaker } from './breaker.ts';
import { routeByKeywords } from '#scripts/decisions/flow/keyword-router.ts';
import type { NluClient } from './nlu-client.ts';

export interface UnderstandingDeps {
  /** Null without an NLU service. */
  client: NluClient | null;
  breaker: Breaker;
  log: Log;
}

/**
 * Uses the NLU service while it responds, else keywords, so that a conversation never waits for a service that is down.
 *
 * Source: NLU §4, D13
 */
export function createUnderstanding({ client, breaker, log }: UnderstandingDeps): Understanding {
  async function ask<T>(work: (client: NluClient) => Promise<T>, over: AbortSignal): Promise<T | null> {
    if (client === null || over.aborted || !breaker.admits()) return null;
    try {
      const answer = await work(client);
      breaker.succeeded();
      return answer;
    } catch (error) {
      // The call ended first, which says nothing about the service.
      if (over.aborted) return null;
      breaker.failed();
      log.warn({ err: error }, 'the NLU service did not answer; keywords decide the branch');
      return null;
    }
  }
  return {
    async decide(request, over) {
      const decided = await ask(nlu => nlu.decide(request, over), over);
      return decided !== null && isOffered(request.branches, decided.key) ? decided.key : routeByKeywords(request.text, request.branches);
    },
    async extract(request, over) {
      return (await ask(nlu => nlu.extract(request, over), over))?.fields ?? {};
    },
  };
}

function isOffered(branches: readonly Branch[], key: string): boolean {
  return branches.some(branch => branch.key === key);
}
