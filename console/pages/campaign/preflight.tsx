import { useQuery } from '@apollo/client/react';
import { Skeleton, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Notice } from '../../parts/notice.tsx';
import { formatDateTime } from '../../text/format.ts';
import { useServerWords } from '../../text/server-words.ts';
import { CampaignPreflightDocument } from './campaign.generated.ts';
import styles from './campaign.module.css';

const SIGNS = { OK: ['✓', 'tone-answered'], WARNING: ['!', 'tone-waiting'], ERROR: ['✕', 'tone-failed'] } as const;
const WORST_FIRST = ['ERROR', 'WARNING', 'OK'];
const LOOK_MS = 10_000;

/** Where each check is mended, to the very field; one that is not here is mended outside the console. */
const MENDS: Readonly<Record<string, (id: string) => string>> = {
  CONTACTS: id => `/campaigns/${id}/import`,
  LINES: id => `/campaigns/${id}/edit?field=lineIds`,
  BUSINESS: id => `/campaigns/${id}/edit?field=businessCode`,
  SCRIPT: () => '/scripts',
  WINDOW: id => `/campaigns/${id}/edit?field=workdayStart`,
  POLICIES: () => '/policies',
  CELL: id => `/campaigns/${id}/edit?field=cellId`,
  MONITORING: () => '/live',
  SKIPS: id => `/campaigns/${id}?tab=contacts`,
  CALLER_ID: () => '/lines',
};

/** What a start would meet now, the worst first, each with what mends it. */
export function Preflight({ id }: { id: string }) {
  const { t } = useTranslation();
  const words = useServerWords();
  const { data, error } = useQuery(CampaignPreflightDocument, { variables: { id }, pollInterval: LOOK_MS });
  const preflight = data?.campaign?.preflight;
  if (error && !preflight) return <Notice error={error} />;
  if (!preflight) return <Skeleton height={200} />;
  const checks = [...preflight.checks].sort((a, b) => WORST_FIRST.indexOf(a.level) - WORST_FIRST.indexOf(b.level));
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="xs">
        {t('campaign.preflight')}
      </Title>
      <Text className="quiet" mb="xs">
        {t(preflight.canStart ? 'campaign.canStart' : 'campaign.cannotStart')}
        {preflight.estimatedFinishAt && ` · ${t('campaign.estimatedFinish', { at: formatDateTime(preflight.estimatedFinishAt) })}`}
      </Text>
      {checks.map(({ code, level, message }) => (
        <div key={`${code} ${message}`} className={styles.check}>
          <span className={SIGNS[level][1]} role="img" aria-label={t(`checkLevel.${level}`)}>
            {SIGNS[level][0]}
          </span>
          <span>{words(`check.${code}.${level}`, message)}</span>
          {level !== 'OK' && MENDS[code] && (
            <Link to={MENDS[code](id)} aria-label={t('campaign.mendOf', { what: words(`check.${code}.${level}`, message) })}>
              {t('campaign.mend')}
            </Link>
          )}
        </div>
      ))}
    </section>
  );
}
