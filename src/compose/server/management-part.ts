import { businessRepository } from '#adapters/postgres/business-repository.ts';
import { preflightRepository } from '#adapters/postgres/contact-preflight-repository.ts';
import { contactRepository } from '#adapters/postgres/contact-repository.ts';
import { lineRepository } from '#adapters/postgres/line-repository.ts';
import { businessHandlers } from '#edges/rest/businesses.ts';
import { campaignHandlers } from '#edges/rest/campaigns.ts';
import { contactHandlers } from '#edges/rest/contacts.ts';
import { importHandlers } from '#edges/rest/importing.ts';
import { lineHandlers } from '#edges/rest/lines.ts';
import { seedBusinesses } from '#operations/businesses/seed-businesses.ts';
import type { AttemptStore } from '#ports/attempt-store.ts';
import type { CampaignActor } from '#ports/campaign-actor.ts';
import type { CampaignStore } from '#ports/campaign-store.ts';
import type { DialStore } from '#ports/dial-store.ts';
import type { SlotBook } from '#ports/slot-book.ts';
import type { SwitchPort } from '#ports/switch.ts';
import type { Wake } from '#ports/wake.ts';
import type { ServerContext, ServerPart } from './context.ts';

/** What dispatching brings to the management of campaigns. */
export interface ManagementNeeds {
  campaigns: CampaignStore;
  attempts: AttemptStore;
  dials: DialStore;
  slots: SlotBook;
  switchPort: SwitchPort;
  campaignActor: CampaignActor;
  wake: Wake;
}

export interface ManagementPart extends ServerPart {
  /** Brings `config.businesses` into the database; before the first request. */
  seed(): Promise<void>;
}

/** Businesses, lines, campaigns, contacts and file imports (OCS 4.3–4.7). */
export function managementPart(context: ServerContext, needs: ManagementNeeds): ManagementPart {
  const { config, database, audit, clock } = context;
  const { switchPort, ...engine } = needs;
  const businesses = businessRepository(database);
  const deps = {
    ...engine,
    audit,
    clock,
    businesses,
    switch: switchPort,
    lines: lineRepository(database),
    contacts: contactRepository(database),
    preflight: preflightRepository(database),
    zone: config.server.timezone,
    cellIds: new Set(config.cells.map(({ id }) => id)),
  };
  return {
    handlers: [
      ...businessHandlers(deps),
      ...lineHandlers(deps),
      ...campaignHandlers(deps),
      ...contactHandlers(deps),
      ...importHandlers(deps),
    ],
    seed: async () => void (await seedBusinesses({ businesses }, config.businesses)),
  };
}
