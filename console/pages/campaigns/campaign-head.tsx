import { useMutation } from '@apollo/client/react';
import { Alert } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { isRefusal } from '../../api/refusal.ts';
import { formatTime } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useActionDisabledReason, useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { type CampaignHeadFragment, PauseCampaignDocument, StartCampaignDocument } from './campaign.generated.ts';
import styles from './campaign.module.css';
import { Phase, StatusChip } from './phase.tsx';
import { TestCallButton } from './test-call.tsx';

interface HeadProps {
  campaign: CampaignHeadFragment;
  changed: () => void;
}

/** Name, phase and actions of a campaign. */
export function Head({ campaign, changed }: HeadProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { databaseId: id, name, status } = campaign;
  const [refusal, setRefusal] = useState<string | null>(null);
  const mayMake = useDisabledReason('campaign:write');
  const reasonOf = useReasonOf(campaign);
  return (
    <header>
      <div className={styles.head}>
        <PageHeading>{name}</PageHeading>
        <StatusChip status={status} />
        <div className={styles.phase}>
          <Phase {...campaign} />
          <LeftAtEnd campaign={campaign} />
        </div>
        <ActButton variant="default" reason={reasonOf('IMPORT_CONTACTS')} act={() => void navigate(`/campaigns/${id}/import`)}>
          {t('pages.import')}
        </ActButton>
        <ActButton variant="default" reason={mayMake} act={() => void navigate(`/campaigns/new?from=${id}`)}>
          {t('campaign.duplicate')}
        </ActButton>
        <ActButton variant="default" reason={reasonOf('EDIT')} act={() => void navigate(`/campaigns/${id}/edit`)}>
          {t('campaign.editSettings')}
        </ActButton>
        <TestCallButton campaign={campaign} reason={reasonOf('DISPATCH')} />
        <StartOrPause campaign={campaign} refused={setRefusal} changed={changed} />
      </div>
      {refusal && (
        <Alert color="red" role="alert" mb="sm" withCloseButton onClose={() => setRefusal(null)} closeButtonLabel={t('drawer.close')}>
          {refusal}
        </Alert>
      )}
    </header>
  );
}

/** Contacts that were left undialled at the planned end. */
function LeftAtEnd({ campaign: { status, progress } }: Pick<HeadProps, 'campaign'>) {
  const { t } = useTranslation();
  const left = progress.pending + progress.awaitingRetry;
  if (status !== 'COMPLETED' || left === 0) return null;
  return <span className="tone-waiting">{t('campaign.leftAtEnd', { count: left })}</span>;
}

/** Why an action is disabled; null when it is allowed. */
export function useReasonOf({ actions }: Pick<CampaignHeadFragment, 'actions'>) {
  const disabledReasonOf = useActionDisabledReason();
  return (act: CampaignHeadFragment['actions'][number]['name']) => disabledReasonOf(actions, act);
}

const START_OR_PAUSE: Partial<Record<CampaignHeadFragment['status'], string>> = { RUNNING: 'campaign.pause', PAUSED: 'campaign.resume' };

interface MoveProps extends HeadProps {
  refused: (message: string | null) => void;
}

function StartOrPause({ campaign, refused, changed }: MoveProps) {
  const { t } = useTranslation();
  const reasonOf = useReasonOf(campaign);
  const isRunning = campaign.status === 'RUNNING';
  const [move, { loading }] = useMutation(isRunning ? PauseCampaignDocument : StartCampaignDocument, {
    variables: { id: campaign.databaseId },
    onCompleted: ({ result }) => {
      refused(isRefusal(result) ? result.message : null);
      if (result && !isRefusal(result))
        // The page already shows the new status: the toast says what was done.
        sayDone(result.status === 'PAUSED' ? t('campaign.pausedFrom', { at: formatTime(result.bindsAt) }) : t('campaign.started'));
      changed();
    },
    onError: error => refused(error.message),
  });
  return (
    <ActButton
      loading={loading}
      variant={isRunning ? 'default' : 'filled'}
      reason={reasonOf(isRunning ? 'PAUSE' : 'START')}
      act={() => void move()}
    >
      {t(START_OR_PAUSE[campaign.status] ?? 'campaign.start')}
    </ActButton>
  );
}
