import { fromRoute } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import { previewRulePackRoute, switchRulePackRoute } from './routes.ts';
import { listPacks, previewRulePack, switchRulePack } from './switch-packs.ts';

export const rulePackResolvers: Resolvers = {
  Query: {
    rulePacks: (_root, _args, { app }) => listPacks(app),
    previewRulePack: fromRoute(previewRulePackRoute, (app, _caller, packId, use) => previewRulePack(app, packId, use)),
  },
  Mutation: {
    switchRulePack: fromRoute(switchRulePackRoute, switchRulePack),
  },
  RulePack: { packId: ({ id }) => id },
  PackRule: { ruleId: ({ id }) => id },
  RuleChoice: { choiceId: ({ id }) => id },
};
