import type { GraphQLResolveInfo } from 'graphql';
import { assert } from '#kernel/assert.ts';
import type { Caller } from '#operations/access/caller.ts';
import type { Me } from '#operations/access/who-am-i.ts';
import type { CreateCampaignDeps } from '#operations/campaigns/create-campaign.ts';
import type { PreflightDeps } from '#operations/campaigns/preflight-campaign.ts';
import type { UpdateCampaignDeps } from '#operations/campaigns/update-campaign.ts';
import type { CancelBatchDeps } from '#operations/dispatch/cancel-batch.ts';
import type { ManualDispatchDeps } from '#operations/dispatch/dispatch-manually.ts';
import type { CampaignProgressFeed } from '#operations/feeds/campaign-progress-feed.ts';
import type { ListLiveCallsDeps } from '#operations/feeds/list-live-calls.ts';
import type { LiveCallsFeed } from '#operations/feeds/live-calls-feed.ts';
import type { RuntimeEventFeed } from '#operations/feeds/runtime-event-feed.ts';
import type { RetryContactsDeps } from '#operations/retry/retry-contacts.ts';
import type { CreateUserDeps } from '#operations/users/create-user.ts';
import type { DeleteUserDeps } from '#operations/users/delete-user.ts';
import type { UpdateUserDeps } from '#operations/users/update-user.ts';
import type { AttemptStore } from '#ports/attempt-store.ts';
import type { BusinessStore } from '#ports/business-store.ts';
import type { CampaignStore } from '#ports/campaign-store.ts';
import type { ContactStore } from '#ports/contact-store.ts';
import type { DoNotCallStore } from '#ports/do-not-call-store.ts';
import type { GraphStore } from '#ports/graph-store.ts';
import type { LineStore } from '#ports/line-store.ts';
import type { PolicyStore } from '#ports/policy-store.ts';
import type { ScriptStore } from '#ports/script-store.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** What managing users takes. */
export type UserDeps = CreateUserDeps & UpdateUserDeps & DeleteUserDeps;

/** What resolvers reach: the operations' own dependencies, and what the façade reads beside them. */
export interface GraphDeps
  extends CreateCampaignDeps,
    UpdateCampaignDeps,
    RetryContactsDeps,
    CancelBatchDeps,
    ManualDispatchDeps,
    PreflightDeps,
    ListLiveCallsDeps {
  campaigns: CampaignStore;
  contacts: ContactStore;
  attempts: AttemptStore;
  businesses: BusinessStore;
  lines: LineStore;
  policies: PolicyStore;
  doNotCall: DoNotCallStore;
  scripts: ScriptStore;
  dials: UpdateCampaignDeps['dials'] & CancelBatchDeps['dials'] & ManualDispatchDeps['dials'];
  slots: PreflightDeps['slots'] & CancelBatchDeps['slots'] & ManualDispatchDeps['slots'];
  graph: GraphStore;
  liveCallsFeed: LiveCallsFeed;
  campaignProgressFeed: CampaignProgressFeed;
  /** Business time zone. */
  timeZone: string;
  people: UserDeps;
  runtimeEventFeed: RuntimeEventFeed;
  whoAmI(token: string | null): Promise<Me>;
}

/** One operation: who asks, and what was read for it already. */
export interface GraphContext {
  deps: GraphDeps;
  /** Null without a valid session. */
  caller: Caller | null;
  token: string | null;
  traceId: string;
  loaders: Loaders;
}

export function createContext(deps: GraphDeps, asker: Pick<GraphContext, 'caller' | 'token' | 'traceId'>): GraphContext {
  return { deps, ...asker, loaders: createLoaders(deps.graph) };
}

/**
 * Who asks, where the guard has let somebody through.
 *
 * Why: each field of a mutation is a command of its own, also when one document names the same verb twice
 */
export function callerOf(context: GraphContext, info: GraphQLResolveInfo): Caller {
  assert(context.caller, `${info.parentType.name}.${info.fieldName} needs a guard`);
  const { key } = info.path;
  return key === info.fieldName ? context.caller : { ...context.caller, traceId: `${context.caller.traceId}.${key}` };
}
