import { fromRoute } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import {
  getBusinessDispositionsRoute,
  getCampaignDispositionsRoute,
  setBusinessDispositionsRoute,
  setCampaignDispositionsRoute,
} from './routes.ts';
import { readSettings, setSettings } from './settings-store.ts';

export const dispositionResolvers: Resolvers = {
  Query: {
    campaignDispositions: fromRoute(getCampaignDispositionsRoute, (app, _caller, campaignId) => readSettings(app, { campaignId })),
    businessDispositions: fromRoute(getBusinessDispositionsRoute, (app, _caller, businessCode) => readSettings(app, { businessCode })),
  },
  Mutation: {
    setCampaignDispositions: fromRoute(setCampaignDispositionsRoute, (app, caller, campaignId, change) =>
      setSettings(app, caller, { campaignId }, change),
    ),
    setBusinessDispositions: fromRoute(setBusinessDispositionsRoute, (app, caller, businessCode, change) =>
      setSettings(app, caller, { businessCode }, change),
    ),
  },
};
