import { useQuery } from '@apollo/client/react';
import { Skeleton, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatAbout, formatCount } from '../../text/format.ts';
import { useServerWords } from '../../text/server-words.ts';
import { Notice } from '../../ui/notice.tsx';
import { type CampaignHeadFragment, CampaignPreflightDocument } from './campaign.generated.ts';
import styles from './campaign.module.css';
import { MENDS } from './mends.ts';
import { Phase } from './phase.tsx';
import { isInTheWay, isWaitPlanned } from './phase-key.ts';

const SIGNS = { OK: ['✓', 'tone-answered'], WARNING: ['!', 'tone-waiting'], ERROR: ['✕', 'tone-failed'] } as const;
const WORST_FIRST = ['ERROR', 'WARNING', 'OK'];
const LOOK_MS = 10_000;

/**
 * Checks before a start, worst first, each with a link to its fix. Keyed by status: results of another status do not apply.
 */
export function Preflight({ id, campaign }: { id: string; campaign: CampaignHeadFragment }) {
  const { t } = useTranslation();
  const words = useServerWords();
  const { data, error } = useQuery(CampaignPreflightDocument, { variables: { id }, pollInterval: LOOK_MS, fetchPolicy: 'network-only' });
  const preflight = data?.campaign?.preflight;
  if (error && !preflight) return <Notice error={error} />;
  if (!preflight) return <Skeleton height={200} />;
  const isRunning = campaign.status === 'RUNNING';
  // A running campaign has been started: show only what is in its way.
  const met = preflight.checks.filter(({ code, level }) => !isRunning || (level !== 'OK' && isInTheWay(campaign, code)));
  const isPlanned = isRunning && isWaitPlanned(campaign.phase, campaign.phaseCause);
  const isAtItsMost = isRunning && campaign.phase === 'WAITING_SLOT' && preflight.activeCalls >= campaign.maxConcurrency;
  if (isRunning && met.length === 0 && !isAtItsMost && !isPlanned) return null;
  const checks = met.sort((a, b) => WORST_FIRST.indexOf(a.level) - WORST_FIRST.indexOf(b.level));
  const skipped = Object.entries(preflight.skips).flatMap(([why, count]) =>
    typeof count === 'number' && count > 0 ? [t(`skip.${why}`, { count })] : [],
  );
  const parameters = {
    pending: formatCount(preflight.pendingContacts),
    retryable: formatCount(preflight.retryableContacts),
    active: formatCount(preflight.activeCalls),
    skips: skipped.join(t('taker.comma')),
  };
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="xs">
        {t(isRunning ? 'campaign.inTheWay' : 'campaign.preflight')}
      </Title>
      {!isRunning && (
        <Text className="quiet" mb="xs">
          {t(preflight.canStart ? 'campaign.canStart' : 'campaign.cannotStart')}
          {preflight.estimatedFinishAt && ` · ${t('campaign.estimatedFinish', { at: formatAbout(preflight.estimatedFinishAt) })}`}
        </Text>
      )}
      {isPlanned && (
        <Text mb={checks.length > 0 ? 'xs' : 0}>
          <Phase {...campaign} />
        </Text>
      )}
      {checks.map(({ code, level, message }) => (
        <div key={`${code} ${message}`} className={styles.check}>
          <span className={SIGNS[level][1]} role="img" aria-label={t(`checkLevel.${level}`)}>
            {SIGNS[level][0]}
          </span>
          <span>{words(`check.${code}.${level}`, message, parameters)}</span>
          {level !== 'OK' && MENDS[code] && (
            <Link
              to={MENDS[code](
                { ...campaign, id, lines: preflight.lines, policies: preflight.policies, skips: preflight.skips },
                Date.now(),
              )}
              aria-label={t('campaign.mendOf', { what: words(`check.${code}.${level}`, message, parameters) })}
            >
              {t('campaign.mend')}
            </Link>
          )}
        </div>
      ))}
      {isAtItsMost && <AtItsMost id={id} campaign={campaign} active={preflight.activeCalls} />}
    </section>
  );
}

/** Shown when only the campaign's own limit keeps it from dialling more: it runs at full speed, which the user may want to raise. */
function AtItsMost({ id, campaign, active }: { id: string; campaign: CampaignHeadFragment; active: number }) {
  const { t } = useTranslation();
  const most = campaign.maxConcurrency;
  const what = t('notDialledReason.CAMPAIGN_FULL');
  const line = t('campaign.atItsMost', { what, active: formatCount(active), most: formatCount(most) });
  return (
    <div className={styles.check}>
      <span className="quiet" aria-hidden>
        ·
      </span>
      <span>{line}</span>
      <Link to={`/campaigns/${id}/edit?field=maxConcurrency`} aria-label={t('campaign.mendOf', { what: line })}>
        {t('campaign.mend')}
      </Link>
    </div>
  );
}
