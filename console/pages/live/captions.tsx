import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { WatchedCall } from '../../live/call-changes.ts';
import { formatTime } from '../../text/format.ts';
import styles from './live.module.css';
import type { OpenCall } from './open-call.ts';

type Said = WatchedCall['captions'][number];

interface CaptionsProps {
  captions: readonly Said[];
  /** Hints and sentences for the bot, in their place among the captions; absent where there is no room. */
  guidance?: OpenCall['guidance'];
  intentHits: WatchedCall['intentHits'];
}

/** Captions, the customer on the left and our side on the right; words that raised an alert are underlined. */
export function Captions({ captions, intentHits, guidance = [] }: CaptionsProps) {
  return inOrder(captions, guidance).map(line =>
    'kind' in line ? <Told key={line.guidanceId} told={line} /> : <Caption key={line.segmentId} said={line} intentHits={intentHits} />,
  );
}

function Caption({ said: { speaker, text, final }, intentHits }: { said: Said; intentHits: CaptionsProps['intentHits'] }) {
  const { t } = useTranslation();
  return (
    <div className={`${styles.said} ${styles[speaker] ?? ''} ${final ? '' : styles.open}`}>
      <span className={styles.unseen}>{t(`speaker.${speaker}`)}: </span>
      {speaker === 'CUSTOMER' ? <Marked text={text} keywords={intentHits} /> : text}
    </div>
  );
}

function Told({ told: { kind, text, by, at } }: { told: OpenCall['guidance'][number] }) {
  const { t } = useTranslation();
  return (
    <div className={styles.told}>
      <span className="quiet">{t(`guide.${kind}`, { by, at: formatTime(at) })}</span>
      <div>{text === '' ? t('guide.nothing') : text}</div>
    </div>
  );
}

/** Captions together with hints and sentences for the bot, in order of time. */
function inOrder(captions: readonly Said[], guidance: OpenCall['guidance']): (Said | OpenCall['guidance'][number])[] {
  if (guidance.length === 0) return [...captions];
  const rest = [...guidance];
  const before = (at: string) => rest.splice(0, rest.findLastIndex(told => told.at <= at) + 1);
  return [...captions.flatMap(said => [...before(said.at), said]), ...rest];
}

function Marked({ text, keywords }: { text: string; keywords: WatchedCall['intentHits'] }) {
  const parts = useMemo(() => partsOf(text, keywords), [text, keywords]);
  return parts.map(({ part, isHit, at }) =>
    isHit ? (
      <mark key={at} className={styles.hit}>
        {part}
      </mark>
    ) : (
      part
    ),
  );
}

interface Part {
  part: string;
  isHit: boolean;
  at: number;
}

/** Characters with a special meaning in a regular expression. */
const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** The text split at its keywords. */
function partsOf(text: string, keywords: WatchedCall['intentHits']): Part[] {
  if (keywords.length === 0) return [{ part: text, isHit: false, at: 0 }];
  const words = new RegExp(`(${keywords.map(({ keyword }) => keyword.replace(SPECIAL, '\\$&')).join('|')})`, 'giu');
  let at = 0;
  return text.split(words).map((part, index) => {
    at += part.length;
    return { part, isHit: index % 2 === 1, at };
  });
}
