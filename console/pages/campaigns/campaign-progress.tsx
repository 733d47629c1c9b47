import { useQuery } from '@apollo/client/react';
import { Skeleton, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCount, formatShare } from '../../text/format.ts';
import { notDialledKey } from '../../text/not-dialled-key.ts';
import { useServerWords } from '../../text/server-words.ts';
import { CapBar } from '../../ui/cap-bar.tsx';
import { CampaignPreflightDocument, type OpenCampaignFragment, type ProgressFragment } from './campaign.generated.ts';
import styles from './campaign.module.css';
import { CampaignFacts } from './campaign-facts.tsx';
import { History } from './campaign-history.tsx';
import { FirstContacts } from './first-contacts.tsx';
import type { CampaignStatus } from './phase.tsx';
import { Preflight } from './preflight.tsx';
import { givenUp, leftOut, shareOf } from './progress.ts';
import { ProgressBar, Swatch } from './progress-bar.tsx';

/** Tab of a campaign's contacts by outcome, of the reasons why they wait, and of the settings and lines by which it dials. */
export function CampaignProgress({ campaign }: { campaign: OpenCampaignFragment }) {
  const { databaseId: id, progress, notDialedReasons, status } = campaign;
  const isOver = status === 'ARCHIVED';
  return (
    <div className={styles.columns}>
      <div className={styles.stack}>
        {progress.total === 0 && !isOver && (
          <section className={`sheet ${styles.sheet}`}>
            <FirstContacts campaign={campaign} />
          </section>
        )}
        <Numbers status={status} progress={progress} />
        <Reasons id={id} isDraft={status === 'DRAFT'} reasons={notDialedReasons} />
        <History campaign={campaign} />
      </div>
      <div className={styles.stack}>
        {!isOver && <Preflight key={status} id={id} campaign={campaign} />}
        {!isOver && <Lines id={id} />}
        <CampaignFacts campaign={campaign} />
      </div>
    </div>
  );
}

/** Each contact counts in one of them; the last is their sum. */
const SHOWN = ['pending', 'submitted', 'completed', 'awaitingRetry', 'failed', 'paused', 'total'] as const;
const TONES: Partial<Record<(typeof SHOWN)[number], string>> = {
  completed: 'tone-answered',
  awaitingRetry: 'tone-waiting',
  failed: 'tone-failed',
};

/** Contacts by outcome; the swatches of the numbers are the legend of the bar. */
function Numbers({ status, progress }: { status: CampaignStatus; progress: ProgressFragment }) {
  const { t } = useTranslation();
  const counts = { ...progress, failed: givenUp(progress) };
  const left = leftOut(status, progress);
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('campaign.progress')}>
      <Title order={2} mb="sm">
        {t('campaign.progress')} · {formatShare(shareOf(status, progress), 1)}
        {left > 0 && ` · ${t('campaign.leftOut', { count: left, shown: formatCount(left) })}`}
      </Title>
      <ProgressBar {...progress} />
      <dl className={styles.numbers}>
        {SHOWN.map(name => (
          <div key={name} className={styles.number}>
            <dt className="quiet">
              <Swatch of={name} />
              {t(`campaign.${name}`)}
            </dt>
            <dd className={counts[name] > 0 ? TONES[name] : undefined}>{formatCount(counts[name])}</dd>
          </div>
        ))}
      </dl>
      {progress.held > 0 && (
        <Text className="quiet" size="sm">
          {t('campaign.heldOf', { count: progress.held, shown: formatCount(progress.held) })}
        </Text>
      )}
    </section>
  );
}

/** Why contacts are not dialled now, by the code that admits dials; each bar links to the contacts that it counts. */
function Reasons({ id, isDraft, reasons }: { id: string; isDraft: boolean; reasons: OpenCampaignFragment['notDialedReasons'] }) {
  const { t } = useTranslation();
  const words = useServerWords();
  const most = Math.max(...reasons.map(({ contacts }) => contacts), 1);
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="xs">
        {t('campaign.notDialled')}
      </Title>
      {isDraft && <Text className="quiet">{t('campaign.notStarted')}</Text>}
      {!isDraft && reasons.length === 0 && <Text className="quiet">{t('campaign.nothingInTheWay')}</Text>}
      {(isDraft ? [] : reasons).map(({ reason, detail, message, contacts }) => (
        <Link key={reason} to={`/campaigns/${id}?tab=contacts&why=${reason}`} className={styles.reason ?? ''}>
          <span>{words(notDialledKey({ reason, detail }), message)}</span>
          <span>{t('campaign.contacts', { count: contacts, shown: formatCount(contacts) })}</span>
          <span className={styles.track} style={{ width: `${(contacts / most) * 100}%` }} />
        </Link>
      ))}
    </section>
  );
}

/** Refresh interval of the lines' load, in ms. */
const LOOK_MS = 10_000;

/** The lines on which the campaign calls, and the current load of each. */
function Lines({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(CampaignPreflightDocument, { variables: { id }, pollInterval: LOOK_MS });
  const lines = data?.campaign?.preflight.lines;
  if (!lines) return <Skeleton height={80} />;
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="xs">
        {t('campaign.lines')}
      </Title>
      {lines.length === 0 && <Text className="quiet">{t('campaign.noLines')}</Text>}
      {lines.map(({ lineId, name, isEnabled, active, maxConcurrency }) => (
        <CapBar
          key={lineId}
          name={name}
          to={`/lines?open=${lineId}`}
          active={active}
          cap={maxConcurrency}
          note={!isEnabled && <span className="tone-failed">{t('wall.disabled')}</span>}
        />
      ))}
    </section>
  );
}
