import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatShare } from '../../text/format.ts';
import { Phase, StatusChip } from '../campaigns/phase.tsx';
import { shareOf } from '../campaigns/progress.ts';
import { ProgressBar } from '../campaigns/progress-bar.tsx';
import type { WallNowFragment } from './wall.generated.ts';
import styles from './wall.module.css';

const SHOWN = 12;

/** Campaigns with their progress and the reason why they wait, in the server's order: running ones first. */
export function Campaigns({ campaigns }: Pick<WallNowFragment['overview'], 'campaigns'>) {
  const { t } = useTranslation();
  const others = campaigns.length - SHOWN;
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2}>{t('pages.campaigns')}</Title>
      {campaigns.length === 0 && <Text className="quiet">{t('wall.noCampaigns')}</Text>}
      {campaigns.slice(0, SHOWN).map(campaign => (
        <div key={campaign.id} className={styles.campaign}>
          <span>
            <Link to={`/campaigns/${campaign.campaignId}`}>{campaign.name}</Link> <StatusChip status={campaign.status} />
          </span>
          <ProgressBar {...campaign} />
          <span className={styles.right}>{formatShare(shareOf(campaign.status, campaign))}</span>
          <span className={styles.reason}>
            <Phase {...campaign} />
          </span>
        </div>
      ))}
      {others > 0 && (
        <Text mt="sm">
          <Link to="/campaigns">{t('wall.moreCampaigns', { count: others })}</Link>
        </Text>
      )}
    </section>
  );
}
