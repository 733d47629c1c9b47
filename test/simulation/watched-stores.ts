import type { ActorCommit, ActorStore } from '#platform/actor-host/actor-store.ts';
import type { SlotRegistry } from '#slots/slot-registry.ts';
import type { DialTables } from '../support/stores/dial-tables.ts';
import type { SimulatedMonitorRegistry } from '../support/stores/simulated-monitor-registry.ts';
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

interface WatchedGrants {
  stores: { slots: SlotRegistry };
  monitors: SimulatedMonitorRegistry;
  checks: Checks;
}

/** The slot registry, remembering with each granted slot the capacity that monitors had at that time. */
export function watchedGrants({ stores, monitors, checks }: WatchedGrants): SlotRegistry {
  return {
    ...stores.slots,
    async reserve(request) {
      const room = monitors.roomNow(request.campaignId);
      const result = await stores.slots.reserve(request);
      const granted = result.grants.map(({ requestId }) => requestId);
      if (request.needsMonitor) checks.watch.onGrants(granted, room);
      return result;
    },
  };
}
