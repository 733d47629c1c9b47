import type { ActorCommit, ActorStore } from '#platform/actor-host/actor-store.ts';
import type { DialTables } from '../support/stores/dial-tables.ts';
import type { Checks } from './checks.ts';
import type { RuleHistory } from './rule-history.ts';

interface WatchedCampaigns {
  stores: { campaignStore: ActorStore };
  tables: DialTables;
  history: RuleHistory;
  checks: Checks;
}

/** The campaign store, with a check that every status change it writes is allowed. */
export function watchedCampaigns({ stores, tables, history, checks }: WatchedCampaigns): ActorStore {
  return {
    ...stores.campaignStore,
    async commit(key: string, commit: ActorCommit) {
      const from = tables.campaigns.get(Number(key))?.status ?? '';
      const outcome = await stores.campaignStore.commit(key, commit);
      if (outcome.kind === 'committed') {
        const to = tables.campaigns.get(Number(key))?.status ?? '';
        history.campaignRuns(Number(key), to === 'running');
        checks.onCampaignMove(Number(key), from, to, commit.commandId);
      }
      return outcome;
    },
  };
}
