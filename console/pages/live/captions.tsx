import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { WatchedCall } from '../../live/call-changes.ts';
import styles from './live.module.css';

type Said = WatchedCall['captions'][number];

interface CaptionsProps {
  captions: readonly Said[];
  intentHits: WatchedCall['intentHits'];
}

/** Captions, the customer on the left and our side on the right; words that raised an alert are underlined. */
export function Captions({ captions, intentHits }: CaptionsProps) {
  const { t } = useTranslation();
  return captions.map(({ segmentId, speaker, text, final }) => (
    <div key={segmentId} className={`${styles.said} ${styles[speaker] ?? ''} ${final ? '' : styles.open}`}>
      <span className={styles.unseen}>{t(`speaker.${speaker}`)}: </span>
      {speaker === 'CUSTOMER' ? <Marked text={text} keywords={intentHits} /> : text}
    </div>
  ));
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
