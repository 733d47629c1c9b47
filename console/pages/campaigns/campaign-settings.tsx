import { useMutation } from '@apollo/client/react';
import { Group, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { isRefusal } from '../../api/refusal.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { sayDone } from '../../ui/toast.ts';
import { ArchiveCampaignDocument, DeleteCampaignDocument, type OpenCampaignFragment } from './campaign.generated.ts';
import { PreDialHook } from '../pre-dial/pre-dial-hook.tsx';
import styles from './campaign.module.css';
import { CampaignFacts } from './campaign-facts.tsx';
import { useReasonOf } from './campaign-head.tsx';

/** All settings of the campaign, and the two ways to end it. */
export function Settings({ campaign }: { campaign: OpenCampaignFragment }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const reasonOf = useReasonOf(campaign);
  const { databaseId: id, name } = campaign;
  const [archive] = useMutation(ArchiveCampaignDocument, { variables: { id } });
  const [remove] = useMutation(DeleteCampaignDocument, { variables: { id } });

  async function archived(): Promise<string | null> {
    const result = (await archive()).data?.result;
    if (isRefusal(result)) return result.message;
    sayDone(t('campaign.archived', { name }));
    return null;
  }

  async function deleted(): Promise<string | null> {
    const result = (await remove()).data?.result;
    if (isRefusal(result)) return result.message;
    sayDone(t('campaign.deleted', { name }));
    await navigate('/campaigns');
    return null;
  }

  return (
    <div className={styles.narrow}>
      <CampaignFacts campaign={campaign} />
      <Group>
        <ActButton variant="default" reason={reasonOf('EDIT')} act={() => void navigate(`/campaigns/${id}/edit`)}>
          {t('campaign.editSettings')}
        </ActButton>
      </Group>
      <PreDialHook campaignId={id} />
      <section className={`sheet ${styles.sheet}`}>
        <Title order={2} mb="xs">
          {t('campaign.end')}
        </Title>
        <Text className="quiet" mb="sm">
          {t('campaign.endAbout')}
        </Text>
        <Group gap="sm">
          <ConfirmButton
            variant="default"
            reason={reasonOf('ARCHIVE')}
            title={t('campaign.archiveTitle', { name })}
            warning={t('campaign.archiveLoses')}
            act={archived}
          >
            {t('campaign.archive')}
          </ConfirmButton>
          <ConfirmButton
            variant="light"
            color="red"
            reason={reasonOf('DELETE')}
            title={t('campaign.deleteTitle', { name })}
            warning={t('campaign.deleteLoses')}
            act={deleted}
          >
            {t('campaign.delete')}
          </ConfirmButton>
        </Group>
      </section>
    </div>
  );
}
