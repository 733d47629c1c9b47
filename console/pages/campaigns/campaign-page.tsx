import { useQuery, useSubscription } from '@apollo/client/react';
import { Skeleton, Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ContactList } from '../contacts/contact-list.tsx';
import { CampaignDispositions } from '../dispositions/disposition-settings.tsx';
import { OutcomeRules } from '../outcome-rules/outcome-rules.tsx';
import { CampaignDocument, CampaignProgressDocument } from './campaign.generated.ts';
import { Batches } from './campaign-batches.tsx';
import { Calls } from './campaign-calls.tsx';
import { Head } from './campaign-head.tsx';
import { CampaignProgress } from './campaign-progress.tsx';
import { Settings } from './campaign-settings.tsx';
import { FirstContacts } from './first-contacts.tsx';
import { RetryAll } from './retry-all.tsx';

/** Refresh interval of the reasons, in ms: the server counts them over all contacts. */
const LOOK_MS = 5_000;

const TABS = ['progress', 'contacts', 'calls', 'batches', 'rules', 'dispositions', 'settings'] as const;

/** One campaign: its progress, why it waits, its controls, and a tab for everything that belongs to it. */
export function CampaignPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const { tab, openTab } = useTab();
  const { data, error, loading, refetch } = useQuery(CampaignDocument, { variables: { id }, pollInterval: LOOK_MS });
  useSubscription(CampaignProgressDocument, { variables: { campaignId: id }, ignoreResults: true });
  const campaign = data?.campaign;
  if (!campaign) return error ? <Notice error={error} /> : loading ? <Skeleton height={400} /> : <NotFoundPage />;
  return (
    <>
      <title>{`${campaign.name} · Callout`}</title>
      <Head campaign={campaign} changed={() => void refetch()} />
      {error && <Notice error={error} />}
      <Tabs value={tab} onChange={value => openTab(value ?? '')} keepMounted={false}>
        <Tabs.List mb="sm">
          {TABS.map(value => (
            <Tabs.Tab key={value} value={value}>
              {t(`campaign.tab.${value}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="progress">
          <CampaignProgress campaign={campaign} />
        </Tabs.Panel>
        <Tabs.Panel value="contacts">
          <ContactList
            campaignId={id}
            empty={<FirstContacts campaign={campaign} />}
            acts={<RetryAll campaign={campaign} done={() => void refetch()} />}
          />
        </Tabs.Panel>
        <Tabs.Panel value="calls">
          <Calls id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="batches">
          <Batches campaign={campaign} />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <OutcomeRules campaignId={id} lock={campaign.status === 'ARCHIVED' ? t('contacts.archived') : null} />
        </Tabs.Panel>
        <Tabs.Panel value="dispositions">
          <CampaignDispositions campaignId={id} lock={campaign.status === 'ARCHIVED' ? t('contacts.archived') : null} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <Settings campaign={campaign} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Each tab has its own filters in the URL. */
function useTab() {
  const [query, setQuery] = useSearchParams();
  const tab = TABS.find(value => value === query.get('tab')) ?? 'progress';
  return { tab, openTab: (next: string) => setQuery(next === 'progress' ? {} : { tab: next }) };
}
