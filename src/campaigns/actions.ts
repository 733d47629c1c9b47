import { refusalOf } from '#actors/campaign/machine.ts';
import type { Permission } from '#kernel/caller.ts';
import { CalloutError, refusalBy } from '#kernel/errors.ts';
import { moveTo } from './campaign-actor.ts';
import type { Campaign } from './campaign.ts';
import { requireRemovable } from './change-campaigns.ts';
import type { CampaignStatus } from './decisions/campaign-states.ts';
import type { CampaignProgress } from './progress.ts';

/**
 * Errors: CAMPAIGN_ARCHIVED, because an archived campaign is read-only
 * Source: D5.2
 */
export function requireNotArchived({ status }: Pick<Campaign, 'status'>): void {
  if (status === 'archived') throw new CalloutError('CAMPAIGN_ARCHIVED', '活动已归档，不能再修改');
}

export const CAMPAIGN_ACTIONS = ['start', 'pause', 'archive', 'edit', 'dispatch', 'add_contacts', 'import_contacts', 'delete'] as const;

type CampaignActionName = (typeof CAMPAIGN_ACTIONS)[number];

interface CampaignAction {
  name: CampaignActionName;
  needs: Permission;
  /** Null when the action is possible. */
  refusal: CalloutError | null;
}

interface Rule {
  needs: Permission;
  /** Throws the error with which the command would refuse. */
  require: (campaign: Campaign, facts: ActionFacts) => void;
}

interface ActionFacts {
  progress: CampaignProgress;
  /** Whether a script or the runtime's own flow leads the calls. Source: D5.6 */
  hasFlow: boolean;
}

/** The rules that the commands themselves apply. */
const RULES: Readonly<Record<CampaignActionName, Rule>> = {
  start: { needs: 'campaign:write', require: requireMove('running') },
  pause: { needs: 'campaign:write', require: requireMove('paused') },
  archive: { needs: 'campaign:write', require: requireMove('archived') },
  edit: { needs: 'campaign:write', require: requireNotArchived },
  dispatch: { needs: 'campaign:dispatch', require: requireNotArchived },
  add_contacts: { needs: 'contact:write', require: requireNotArchived },
  import_contacts: { needs: 'import:write', require: requireImportable },
  delete: {
    needs: 'campaign:write',
    require(campaign, { progress: { total } }) {
      requireRemovable(campaign, total > 0 ? 'contacts' : undefined);
    },
  },
};

/**
 * Lists the actions on a campaign, with the error that each would meet under these permissions.
 *
 * Why: this is decided by counts, for display; the command decides again when it runs
 */
export function campaignActions(campaign: Campaign, facts: ActionFacts, permissions: ReadonlySet<Permission>): CampaignAction[] {
  return CAMPAIGN_ACTIONS.map(name => {
    const { needs, require } = RULES[name];
    if (!permissions.has(needs)) return { name, needs, refusal: new CalloutError('FORBIDDEN', `没有权限：需要 ${needs}`) };
    return { name, needs, refusal: refusalBy(() => require(campaign, facts)) };
  });
}

function requireMove(to: CampaignStatus): Rule['require'] {
  return ({ status }, { progress: { pending, awaitingRetry, activeCalls: active }, hasFlow }) => {
    const counts = { pending, held: 0, retryable: awaitingRetry, dueRetries: 0, active, promised: 0 };
    const refusal = refusalOf(status, to, moveTo(to, '', { counts, hasFlow }));
    if (refusal) throw new CalloutError(refusal.code, refusal.message, refusal);
  };
}

/**
 * Why:    an archived campaign accepts a file: OCS excludes only `running`, and takes precedence over the read-only rule of D5.2
 * Source: OCS 4.7 rule 2
 */
export function requireImportable(campaign: Pick<Campaign, 'status'>): void {
  if (campaign.status === 'running') throw new CalloutError('CAMPAIGN_RUNNING', '活动正在运行，不能导入文件，请先暂停');
}
