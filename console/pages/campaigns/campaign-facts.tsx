import { Title } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatCount, formatDateTime, formatMs, formatSeconds } from '../../text/format.ts';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Instant } from '../../ui/instant.tsx';
import type { CampaignHeadFragment, OpenCampaignFragment } from './campaign.generated.ts';
import styles from './campaign.module.css';

/** The settings by which the campaign dials. */
export function CampaignFacts({ campaign }: { campaign: OpenCampaignFragment }) {
  const { t } = useTranslation();
  const facts: Fact[] = [
    [t('campaign.business'), campaign.business?.businessName || campaign.businessCode],
    [t('campaign.lines'), campaign.lines.map(({ name }) => name).join('、')],
    [t('campaign.maxConcurrency'), formatCount(campaign.maxConcurrency)],
    [t('campaign.maxRetries'), t('campaign.retries', { count: campaign.maxRetries, every: formatSeconds(campaign.retryIntervalSeconds) })],
    [t('campaign.callInterval'), t('campaign.secondsApart', { value: formatMs(campaign.callIntervalMs) })],
    [t('campaign.missedCallbacks'), missedCallbacksOf(campaign, t)],
    [t('campaign.window'), campaign.workdayStart ? `${campaign.workdayStart} – ${campaign.workdayEnd}` : t('campaign.allDay')],
    [t('campaign.timeZone'), campaign.timeZone ?? t('campaign.ownZones')],
    [t('campaign.scheduled'), scheduleOf(campaign) || t('campaign.unscheduled')],
    [t('campaign.created'), <Instant key="at" at={campaign.createdAt} />],
  ];
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="sm">
        {t('campaign.settings')}
      </Title>
      <Facts facts={facts} />
      {campaign.description && <p className="quiet">{campaign.description}</p>}
    </section>
  );
}

function missedCallbacksOf(campaign: CampaignHeadFragment, t: TFunction): string {
  const { callbackMissed, callbackMaxMisses: count, callbackAgainMinutes: minutes } = campaign;
  const most = callbackMissed === 'GIVE_UP' ? '' : t('campaign.missedAtMost', { count });
  return [t(`callbackFateShort.${callbackMissed}`, { minutes }), most].filter(part => part !== '').join(' · ');
}

function scheduleOf({ scheduledStartAt, scheduledEndAt }: CampaignHeadFragment): string {
  return [scheduledStartAt, scheduledEndAt]
    .map(at => (at ? formatDateTime(at) : ''))
    .join(' – ')
    .replace(/^ – $/, '');
}
