import { Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { CampaignSelect } from '../../form/campaign-select.tsx';
import { Form } from '../../form/form.tsx';
import { useCommands } from '../../form/use-commands.ts';
import { useForm } from '../../form/use-form.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { sayDone } from '../../ui/toast.ts';
import { FeedCampaignDocument, type FollowUpRowFragment } from './follow-ups.generated.ts';

interface ModalProps {
  /** The list whose people are fed; null when closed. */
  list: FollowUpRowFragment | null;
  close: () => void;
}

/** Feeds the people of a list into a campaign, and opens its contacts. */
export function FeedModal({ list, close }: ModalProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={list !== null} close={close} title={list && t('followUps.feedTitle', { name: list.name })}>
      {list && <FeedForm list={list} close={close} />}
    </Dialog>
  );
}

function FeedForm({ list, close }: { list: FollowUpRowFragment; close: () => void }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const navigate = useNavigate();
  const form = useForm({
    initial: { campaignId: '', withResults: true },
    send: ({ campaignId, withResults }) => run(FeedCampaignDocument, { id: list.databaseId, campaignId, withResults }),
    done: ({ createdRows, updatedRows, duplicateRows }) => {
      sayDone(t('followUps.fed', { created: createdRows, updated: updatedRows, duplicates: duplicateRows }));
      close();
      void navigate(`/campaigns/${form.values.campaignId}?tab=contacts`);
    },
  });
  const { values, set, errorOf } = form;
  return (
    <Form form={form} action={t('followUps.feed')} cancel={close}>
      <Text className="quiet">{t(list.of === 'CALLS' ? 'followUps.feedCalls' : 'followUps.feedAbout')}</Text>
      <CampaignSelect
        label={t('followUps.into')}
        value={values.campaignId}
        choose={campaignId => set({ campaignId })}
        error={errorOf('campaignId')}
      />
      <Switch
        label={t('followUps.withResults')}
        description={t('followUps.withResultsAbout')}
        checked={values.withResults}
        onChange={event => set({ withResults: event.currentTarget.checked })}
      />
    </Form>
  );
}
