import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatDateTime, formatSeconds } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import styles from './transcripts.module.css';
import type { TranscriptHit } from './use-transcript-hits.ts';

interface HitProps {
  attempt: NonNullable<TranscriptHit['attempt']>;
  lines: TranscriptHit['lines'];
  /** Lines of the call with the words, of which only the first are shown. */
  count: number;
}

/** One call and the lines in which the words were said; each leads to its place in the call. */
export function Hit({ attempt: { databaseId, phoneNumber, contact, campaign, startedAt, createdAt }, lines, count }: HitProps) {
  const { t } = useTranslation();
  return (
    <li className={`sheet ${styles.hit}`}>
      <div>
        <Link to={`/calls/${databaseId}`}>{[contact?.customerName, formatPhone(phoneNumber)].filter(Boolean).join(' ')}</Link>{' '}
        <span className="quiet">{[campaign?.name, formatDateTime(startedAt ?? createdAt)].filter(Boolean).join(' · ')}</span>
      </div>
      {lines.map(({ segmentId, speaker, text, startMs }) => (
        <div key={segmentId} className={styles.line}>
          <span className="quiet">
            {t(`speaker.${speaker}`)} {startMs !== null && formatSeconds(startMs / 1_000)}
          </span>
          <Link to={`/calls/${databaseId}?at=${encodeURIComponent(segmentId)}`}>{text}</Link>
        </div>
      ))}
      {count > lines.length && <Text className="quiet">{t('transcripts.more', { count: count - lines.length })}</Text>}
    </li>
  );
}
