import { useMutation } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { formatCount } from '../../text/format.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { type CampaignHeadFragment, RetryCampaignDocument } from './campaign.generated.ts';

interface RetryAllProps {
  campaign: CampaignHeadFragment;
  done: () => void;
}

/** Puts every contact who was not reached back into the queue. */
export function RetryAll({ campaign, done }: RetryAllProps) {
  const { t } = useTranslation();
  const [retry] = useMutation(RetryCampaignDocument);
  const { failed } = campaign.progress;
  const lacks = useDisabledReason('campaign:dispatch');

  async function run(): Promise<string | null> {
    const result = (await retry({ variables: { campaignId: campaign.databaseId, selection: { status: 'FAILED' } } })).data?.result;
    if (isRefusal(result)) return result.message;
    if (result) sayDone(t('contacts.changed', { changed: formatCount(result.affected), skipped: formatCount(result.skipped) }));
    done();
    return null;
  }

  return (
    <ConfirmButton
      variant="default"
      reason={lacks ?? (failed === 0 ? t('campaign.nobodyFailed') : null)}
      title={t('contacts.retryTitle', { count: failed, shown: formatCount(failed) })}
      warning={t('contacts.retryLoses')}
      act={run}
    >
      {t('campaign.retryAll')}
    </ConfirmButton>
  );
}
