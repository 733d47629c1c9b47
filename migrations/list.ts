import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';

export interface ListedMigration {
  /** As it stands in the table of applied migrations; never changes. */
  name: string;
  load: () => Promise<Constructor<Migration>>;
}

/** Every migration, oldest first; a migration that no database lacks is never loaded. */
export const MIGRATIONS: readonly ListedMigration[] = [
  { name: '20261121000000-core', load: async () => (await import('./20261121000000-core.ts')).Migration20261121000000Core },
  {
    name: '20261121000100-runtime-lists',
    load: async () => (await import('./20261121000100-runtime-lists.ts')).Migration20261121000100RuntimeLists,
  },
  { name: '20261122102319-agents', load: async () => (await import('./20261122102319-agents.ts')).Migration20261122102319Agents },
  {
    name: '20261122103513-conferences',
    load: async () => (await import('./20261122103513-conferences.ts')).Migration20261122103513Conferences,
  },
  {
    name: '20261122103600-overview-rollups',
    load: async () => (await import('./20261122103600-overview-rollups.ts')).Migration20261122103600OverviewRollups,
  },
  {
    name: '20261122110058-contact-search',
    load: async () => (await import('./20261122110058-contact-search.ts')).Migration20261122110058ContactSearch,
  },
  {
    name: '20261122110700-events-of-an-attempt',
    load: async () => (await import('./20261122110700-events-of-an-attempt.ts')).Migration20261122110700EventsOfAnAttempt,
  },
  {
    name: '20261122112600-recording-names',
    load: async () => (await import('./20261122112600-recording-names.ts')).Migration20261122112600RecordingNames,
  },
  {
    name: '20261122143205-contact-search-letters',
    load: async () => (await import('./20261122143205-contact-search-letters.ts')).Migration20261122143205ContactSearchLetters,
  },
  {
    name: '20261122144300-agents-of-deleted-users',
    load: async () => (await import('./20261122144300-agents-of-deleted-users.ts')).Migration20261122144300AgentsOfDeletedUsers,
  },
  {
    name: '20261122200000-contact-search-changes',
    load: async () => (await import('./20261122200000-contact-search-changes.ts')).Migration20261122200000ContactSearchChanges,
  },
  {
    name: '20261122210000-events-of-a-cell',
    load: async () => (await import('./20261122210000-events-of-a-cell.ts')).Migration20261122210000EventsOfACell,
  },
  {
    name: '20261122220000-events-of-a-dependency',
    load: async () => (await import('./20261122220000-events-of-a-dependency.ts')).Migration20261122220000EventsOfADependency,
  },
  {
    name: '20261123090000-missing-results',
    load: async () => (await import('./20261123090000-missing-results.ts')).Migration20261123090000MissingResults,
  },
  {
    name: '20261123091000-scriptless-calls',
    load: async () => (await import('./20261123091000-scriptless-calls.ts')).Migration20261123091000ScriptlessCalls,
  },
  {
    name: '20261123092000-rooms-as-the-switch-tells',
    load: async () => (await import('./20261123092000-rooms-as-the-switch-tells.ts')).Migration20261123092000RoomsAsTheSwitchTells,
  },
  {
    name: '20261123093000-calls-of-a-user',
    load: async () => (await import('./20261123093000-calls-of-a-user.ts')).Migration20261123093000CallsOfAUser,
  },
  {
    name: '20261123094500-internal-token',
    load: async () => (await import('./20261123094500-internal-token.ts')).Migration20261123094500InternalToken,
  },
  {
    name: '20261123100000-audit-names-and-filters',
    load: async () => (await import('./20261123100000-audit-names-and-filters.ts')).Migration20261123100000AuditNamesAndFilters,
  },
  {
    name: '20261123102000-reported-times',
    load: async () => (await import('./20261123102000-reported-times.ts')).Migration20261123102000ReportedTimes,
  },
  {
    name: '20261124100000-retention',
    load: async () => (await import('./20261124100000-retention.ts')).Migration20261124100000Retention,
  },
  {
    name: '20261125021500-one-person-one-contact',
    load: async () => (await import('./20261125021500-one-person-one-contact.ts')).Migration20261125021500OnePersonOneContact,
  },
  {
    name: '20261125023500-contact-search-later',
    load: async () => (await import('./20261125023500-contact-search-later.ts')).Migration20261125023500ContactSearchLater,
  },
  {
    name: '20261125030700-legs',
    load: async () => (await import('./20261125030700-legs.ts')).Migration20261125030700Legs,
  },
  {
    name: '20261125090900-whisper',
    load: async () => (await import('./20261125090900-whisper.ts')).Migration20261125090900Whisper,
  },
  {
    name: '20261125091000-campaign-breaker',
    load: async () => (await import('./20261125091000-campaign-breaker.ts')).Migration20261125091000CampaignBreaker,
  },
  {
    name: '20261125094200-plain-names',
    load: async () => (await import('./20261125094200-plain-names.ts')).Migration20261125094200PlainNames,
  },
  {
    name: '20261125101900-one-key-of-a-contact',
    load: async () => (await import('./20261125101900-one-key-of-a-contact.ts')).Migration20261125101900OneKeyOfAContact,
  },
];
