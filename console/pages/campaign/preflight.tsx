import { useQuery } from '@apollo/client/react';
import { Skeleton, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Notice } from '../../parts/notice.tsx';
import { formatDateTime } from '../../text/format.ts';
import { useServerWords } from '../../text/server-words.ts';
import { type CampaignHeadFragment, CampaignPreflightDocument } from './campaign.generated.ts';
import styles from './campaign.module.css';
import { MENDS } from './mends.ts';

const SIGNS = { OK: ['✓', 'tone-answered'], WARNING: ['!', 'tone-waiting'], ERROR: ['✕', 'tone-failed'] } as const;
const WORST_FIRST = ['ERROR', 'WARNING', 'OK'];
const LOOK_MS = 10_000;

/** What a start would meet now, the worst first, each with what mends it. */
export function Preflight({ id, campaign }: { id: string; campaign: CampaignHeadFragment }) {
  const { t } = useTranslation();
  const words = useServerWords();
  const { data, error } = useQuery(CampaignPreflightDocument, { variables: { id }, pollInterval: LOOK_MS });
  const preflight = data?.campaign?.preflight;
  if (error && !preflight) return <Notice error={error} />;
  if (!preflight) return <Skeleton height={200} />;
  const isRunning = campaign.status === 'RUNNING';
  // What a start would meet: a campaign that runs has been started, and shows what is in its way alone.
  const met = preflight.checks.filter(({ code, level }) => !isRunning || (code !== 'STATUS' && level !== 'OK'));
  if (isRunning && met.length === 0) return null;
  const checks = met.sort((a, b) => WORST_FIRST.indexOf(a.level) - WORST_FIRST.indexOf(b.level));
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="xs">
        {t(isRunning ? 'campaign.inTheWay' : 'campaign.preflight')}
      </Title>
      {!isRunning && (
        <Text className="quiet" mb="xs">
          {t(preflight.canStart ? 'campaign.canStart' : 'campaign.cannotStart')}
          {preflight.estimatedFinishAt && ` · ${t('campaign.estimatedFinish', { at: formatDateTime(preflight.estimatedFinishAt) })}`}
        </Text>
      )}
      {checks.map(({ code, level, message }) => (
        <div key={`${code} ${message}`} className={styles.check}>
          <span className={SIGNS[level][1]} role="img" aria-label={t(`checkLevel.${level}`)}>
            {SIGNS[level][0]}
          </span>
          <span>{words(`check.${code}.${level}`, message)}</span>
          {level !== 'OK' && MENDS[code] && (
            <Link
              to={MENDS[code]({ ...campaign, id }, Date.now())}
              aria-label={t('campaign.mendOf', { what: words(`check.${code}.${level}`, message) })}
            >
              {t('campaign.mend')}
            </Link>
          )}
        </div>
      ))}
    </section>
  );
}
