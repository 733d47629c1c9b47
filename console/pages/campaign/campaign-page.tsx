import { useMutation, useQuery, useSubscription } from '@apollo/client/react';
import { Alert, Button, Skeleton, Tabs, Title, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams, useSearchParams } from 'react-router';
import { ContactList } from '../../parts/contacts/contact-list.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Phase, StatusChip } from '../../parts/phase.tsx';
import { useMe } from '../../shell/me.ts';
import { NotFoundPage } from '../not-found/not-found-page.tsx';
import {
  CampaignDocument,
  type CampaignHeadFragment,
  CampaignProgressDocument,
  PauseCampaignDocument,
  StartCampaignDocument,
} from './campaign.generated.ts';
import styles from './campaign.module.css';
import { Calls } from './calls.tsx';
import { Facts } from './facts.tsx';
import { Numbers } from './numbers.tsx';
import { Preflight } from './preflight.tsx';
import { Reasons } from './reasons.tsx';

/** Reasons are counted over all contacts: asked for this often, ms. */
const LOOK_MS = 5_000;

/** One campaign: how far it is, why it waits, and what starts or stops it. */
export function CampaignPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const { tab, openTab } = useTab();
  const { data, error, loading } = useQuery(CampaignDocument, { variables: { id }, pollInterval: LOOK_MS });
  useSubscription(CampaignProgressDocument, { variables: { campaignId: id }, ignoreResults: true });
  const campaign = data?.campaign;
  if (!campaign) return error ? <Notice error={error} /> : loading ? <Skeleton height={400} /> : <NotFoundPage />;
  return (
    <>
      <title>{`${campaign.name} · Callout`}</title>
      <Head campaign={campaign} />
      {error && <Notice error={error} />}
      <Tabs value={tab || 'progress'} onChange={value => openTab(value ?? '')} keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="progress">{t('campaign.progress')}</Tabs.Tab>
          <Tabs.Tab value="contacts">{t('campaign.contactsTab')}</Tabs.Tab>
          <Tabs.Tab value="calls">{t('campaign.callsTab')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="progress">
          <div className={styles.columns}>
            <div className={styles.stack}>
              <Numbers {...campaign.progress} />
              <Reasons reasons={campaign.notDialedReasons} />
            </div>
            <div className={styles.stack}>
              {campaign.status !== 'RUNNING' && campaign.status !== 'ARCHIVED' && <Preflight id={id} />}
              <Facts campaign={campaign} lines={campaign.lines} />
            </div>
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="contacts">
          <ContactList campaignId={id} empty={t('campaign.noContacts')} />
        </Tabs.Panel>
        <Tabs.Panel value="calls">
          <Calls id={id} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Filters of one tab are none of another. */
function useTab() {
  const [query, setQuery] = useSearchParams();
  return { tab: query.get('tab') ?? '', openTab: (tab: string) => setQuery(tab === 'progress' ? {} : { tab }) };
}

function Head({ campaign }: { campaign: CampaignHeadFragment }) {
  const { t } = useTranslation();
  const { name, status, phase, phaseReason, nextWakeAt } = campaign;
  const [refusal, setRefusal] = useState<string | null>(null);
  return (
    <header>
      <div className={styles.head}>
        <Title order={1}>{name}</Title>
        <StatusChip status={status} />
        <Phase status={status} phase={phase} reason={phaseReason} nextWakeAt={nextWakeAt} />
        <span className={styles.spring} />
        {status !== 'ARCHIVED' && (
          <Button component={Link} to={`/campaigns/${campaign.databaseId}/edit`} variant="default">
            {t('campaign.edit')}
          </Button>
        )}
        <StartOrPause campaign={campaign} refused={setRefusal} />
      </div>
      {refusal && (
        <Alert color="red" role="alert" mb="sm" withCloseButton onClose={() => setRefusal(null)}>
          {refusal}
        </Alert>
      )}
    </header>
  );
}

function StartOrPause({
  campaign: { databaseId, status },
  refused,
}: {
  campaign: CampaignHeadFragment;
  refused: (message: string | null) => void;
}) {
  const { t } = useTranslation();
  const { may } = useMe();
  const isRunning = status === 'RUNNING';
  const [move, { loading }] = useMutation(isRunning ? PauseCampaignDocument : StartCampaignDocument, {
    variables: { id: databaseId },
    onCompleted: ({ result }) => refused(result && 'message' in result ? result.message : null),
    onError: error => refused(error.message),
  });
  if (status === 'ARCHIVED') return null;
  const isAllowed = may('campaign:write') === true;
  return (
    <Tooltip label={t('forbidden.needs', { permission: 'campaign:write' })} disabled={isAllowed}>
      <Button loading={loading} disabled={!isAllowed} variant={isRunning ? 'default' : 'filled'} onClick={() => void move()}>
        {t(isRunning ? 'campaign.pause' : 'campaign.start')}
      </Button>
    </Tooltip>
  );
}
