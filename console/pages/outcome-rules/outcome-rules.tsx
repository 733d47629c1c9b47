import { useQuery } from '@apollo/client/react';
import { Group, Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isRefusal } from '../../api/refusal.ts';
import { useCommands } from '../../form/use-commands.ts';
import { formatDateTime } from '../../text/format.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import {
  OutcomeRulesDocument,
  RemoveOutcomeRulesDocument,
  type RuleStateFragment,
  SetOutcomeRulesDocument,
  type SetOutcomeRulesMutation,
} from './outcome-rules.generated.ts';
import { RuleEditor } from './rule-editor.tsx';

interface OutcomeRulesProps {
  /** Null: the rules of all campaigns. */
  campaignId: string | null;
  /** Why the rules cannot be changed, beside a missing permission; null: they can. */
  lock?: string | null;
}

/** The rules of a campaign or of all campaigns: they decide by the outcome of an attempt what follows it. */
export function OutcomeRules({ campaignId, lock = null }: OutcomeRulesProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(OutcomeRulesDocument, { variables: { campaignId } });
  const lacks = useDisabledReason('policy:write');
  const state = data?.outcomeRules;
  if (!state) return error ? <Notice error={error} /> : <Skeleton height={300} />;
  const changed = () => void refetch();
  const disabledReason = lacks ?? lock;
  return (
    <>
      <Text mb="sm">{t('outcomeRules.about')}</Text>
      <Standing {...{ state, campaignId }} />
      {disabledReason !== null && (
        <Text className="quiet" mb="sm">
          {disabledReason}
        </Text>
      )}
      <RuleEditor
        key={`${state.origin} ${state.version} ${state.ownVersion}`}
        {...{ campaignId, state, changed, disabledReason }}
        templates={data.outcomeRuleTemplates ?? []}
      />
      <Endings {...{ state, campaignId, changed, disabledReason }} />
    </>
  );
}

type Result = NonNullable<SetOutcomeRulesMutation['result']>;
type StateProps = { state: RuleStateFragment; campaignId: string | null };

/** The rules in force: their owner, version and author. */
function Standing({ state: { origin, version, author, createdAt }, campaignId }: StateProps) {
  const { t } = useTranslation();
  return (
    <Text mb="sm">
      {t(campaignId === null ? `outcomeRules.standing.${origin === 'NONE' ? 'NONE_AT_ALL' : 'ALL'}` : `outcomeRules.standing.${origin}`)}
      {campaignId !== null && origin === 'FOR_ALL' && <Link to="/rules?tab=outcomes"> {t('outcomeRules.toCommon')}</Link>}
      {version !== null && (
        <span className="quiet">
          {' '}
          {t('outcomeRules.versionOf', { version })}
          {author === null ? '' : ` · ${author}`}
          {createdAt === null ? '' : ` · ${formatDateTime(createdAt)}`}
        </span>
      )}
    </Text>
  );
}

/** How the rules are given up: for those of all campaigns, or for none. */
function Endings({ state, campaignId, changed, disabledReason }: StateProps & { changed: () => void; disabledReason: string | null }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const { origin, hasOwn, ownVersion: version } = state;

  async function ended(result: Result | null | undefined): Promise<string | null> {
    if (isRefusal(result)) return result.message;
    sayDone(t('outcomeRules.saved'));
    changed();
    return null;
  }

  return (
    <Group gap="sm" mt="lg">
      {hasOwn && origin !== 'NONE' && (
        <ConfirmButton
          variant="light"
          color="red"
          reason={disabledReason}
          title={t('outcomeRules.removeTitle')}
          warning={t(campaignId === null ? 'outcomeRules.removeCommonLoses' : 'outcomeRules.removeLoses')}
          act={async () => ended(await run(RemoveOutcomeRulesDocument, { campaignId, version }))}
        >
          {t('outcomeRules.remove')}
        </ConfirmButton>
      )}
      {campaignId !== null && origin === 'FOR_ALL' && (
        <ConfirmButton
          variant="light"
          reason={disabledReason}
          title={t('outcomeRules.noneTitle')}
          warning={t('outcomeRules.noneLoses')}
          act={async () => ended(await run(SetOutcomeRulesDocument, { campaignId, input: { rules: null, version } }))}
        >
          {t('outcomeRules.useNone')}
        </ConfirmButton>
      )}
      {hasOwn && origin === 'NONE' && (
        <ConfirmButton
          variant="light"
          reason={disabledReason}
          title={t('outcomeRules.followTitle')}
          warning={t('outcomeRules.removeLoses')}
          act={async () => ended(await run(RemoveOutcomeRulesDocument, { campaignId, version }))}
        >
          {t('outcomeRules.follow')}
        </ConfirmButton>
      )}
    </Group>
  );
}
