import { useQuery } from '@apollo/client/react';
import { Alert, Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../text/format.ts';
import { CampaignVersionDocument } from './campaign-form.generated.ts';

const LOOK_MS = 4_000;

interface ChangedMeanwhileProps {
  id: string;
  /** Version of the settings with which the form was filled. */
  version: string;
  /** Keeps the user's input, based on the current version. */
  keepMine: (version: string) => void;
}

/** Warns that somebody else has changed the campaign since the form was opened, before any input is lost. */
export function ChangedMeanwhile({ id, version, keepMine }: ChangedMeanwhileProps) {
  const { t } = useTranslation();
  const { data } = useQuery(CampaignVersionDocument, { variables: { id }, pollInterval: LOOK_MS, fetchPolicy: 'no-cache' });
  const campaign = data?.campaign;
  if (!campaign || campaign.settingsVersion === version) return null;
  const change = campaign.history.find(({ kind }) => kind === 'UPDATED');
  return (
    <Alert color="yellow" role="alert" title={t('campaignForm.changedTitle')}>
      {t('campaignForm.changedBy', { who: change?.by ?? t('campaignForm.somebody'), at: formatDateTime(change?.at ?? campaign.updatedAt) })}
      <Group mt="sm" gap="sm">
        <Button variant="default" size="xs" onClick={() => window.location.reload()}>
          {t('campaignForm.takeTheirs')}
        </Button>
        <Button variant="default" size="xs" onClick={() => keepMine(campaign.settingsVersion)}>
          {t('campaignForm.keepMine')}
        </Button>
      </Group>
    </Alert>
  );
}
