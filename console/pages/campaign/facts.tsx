import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatCount, formatDateTime, formatSeconds } from '../../text/format.ts';
import type { CampaignHeadFragment, CampaignQuery } from './campaign.generated.ts';
import styles from './campaign.module.css';

type Line = NonNullable<CampaignQuery['campaign']>['lines'][number];

/** The settings by which it dials. */
export function Facts({ campaign, lines }: { campaign: CampaignHeadFragment; lines: readonly Line[] }) {
  const { t } = useTranslation();
  const rows: [name: string, value: string][] = [
    ['business', campaign.businessCode],
    ['lines', lines.map(({ name }) => name).join('、')],
    ['maxConcurrency', formatCount(campaign.maxConcurrency)],
    ['maxRetries', t('campaign.retries', { count: campaign.maxRetries, every: formatSeconds(campaign.retryIntervalSeconds) })],
    ['callInterval', t('campaign.milliseconds', { value: formatCount(campaign.callIntervalMs) })],
    ['window', campaign.workdayStart ? `${campaign.workdayStart} – ${campaign.workdayEnd}` : t('campaign.allDay')],
    ['scheduled', scheduleOf(campaign) || t('campaign.unscheduled')],
    ['created', formatDateTime(campaign.createdAt)],
  ];
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="sm">
        {t('campaign.settings')}
      </Title>
      <dl className={styles.facts}>
        {rows.map(([name, value]) => [<dt key={name}>{t(`campaign.${name}`)}</dt>, <dd key={`${name} value`}>{value}</dd>])}
      </dl>
      {campaign.description && <p className="quiet">{campaign.description}</p>}
    </section>
  );
}

function scheduleOf({ scheduledStartAt, scheduledEndAt }: CampaignHeadFragment): string {
  return [scheduledStartAt, scheduledEndAt]
    .map(at => (at ? formatDateTime(at) : ''))
    .join(' – ')
    .replace(/^ – $/, '');
}
