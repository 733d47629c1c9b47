import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ActButton } from '../../ui/act-button.tsx';
import type { CampaignHeadFragment } from './campaign.generated.ts';
import { TakeList } from '../lists/take-list.tsx';
import { useReasonOf } from './campaign-head.tsx';

/** First step after a new campaign: its first contacts. */
export function FirstContacts({ campaign }: { campaign: CampaignHeadFragment }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <>
      <Title order={2} mb="xs">
        {t('campaign.firstContacts')}
      </Title>
      <Text className="quiet" mb="sm">
        {t('campaign.firstContactsAbout')}
      </Text>
      <ActButton reason={useReasonOf(campaign)('IMPORT_CONTACTS')} act={() => void navigate(`/campaigns/${campaign.databaseId}/import`)}>
        {t('campaign.importFirst')}
      </ActButton>
      <TakeList campaignId={campaign.databaseId} />
    </>
  );
}
