import { Text, Title, Tooltip } from '@mantine/core';
import { type Ref, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSeconds } from '../../text/format.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import type { CallQuery } from './call.generated.ts';
import styles from './call.module.css';
import { Recording } from './recording.tsx';
import type { Player } from './use-player.ts';

type Call = NonNullable<CallQuery['attempt']>;
type Segment = Call['transcript'][number];

/** Query parameter: the line to which a link leads. */
const AT = 'at';

interface TranscriptProps {
  call: Call;
  player: Player;
  /** Why the recording cannot be played; null when it can. */
  reason: string | null;
}

/** Transcript in step with the recording: a click on a sentence plays it, and the playing sentence is highlighted. */
export function Transcript({ call: { transcript, answeredAt, durationSeconds, recording }, player, reason }: TranscriptProps) {
  const { t } = useTranslation();
  const isFollowed = player.state === 'ready' && (player.isPlaying || player.atMs > 0);
  const [linked] = useQueryState(AT);
  const spoken = isFollowed
    ? transcript.findLastIndex(({ startMs }) => startMs !== null && startMs <= player.atMs)
    : transcript.findIndex(({ segmentId }) => segmentId === linked);
  const current = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (player.isPlaying) current.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [spoken, player.isPlaying]);
  useEffect(() => {
    if (linked) current.current?.scrollIntoView({ block: 'center' });
  }, [linked]);
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('call.transcript')}>
      <Title order={2} mb="sm">
        {t('call.transcript')}
      </Title>
      {answeredAt && <Recording player={player} url={recording?.url ?? null} reason={reason} durationSeconds={durationSeconds} />}
      {transcript.some(({ source }) => source === 'CAPTIONS') && (
        <Text size="sm" className="quiet" mb="xs">
          {t('call.fromCaptions')}
        </Text>
      )}
      {transcript.length === 0 && <Text className="quiet">{t(answeredAt ? 'call.nothingSaid' : 'call.notAnswered')}</Text>}
      <ol className={styles.said}>
        {transcript.map((segment, index) => (
          <Said
            key={segment.segmentId}
            ref={index === spoken ? current : null}
            segment={segment}
            isSpoken={index === spoken}
            play={reason === null && segment.startMs !== null ? player.playFrom : null}
          />
        ))}
      </ol>
    </section>
  );
}

interface SaidProps {
  ref: Ref<HTMLLIElement>;
  segment: Segment;
  isSpoken: boolean;
  /** Null when the recording cannot be played. */
  play: ((ms: number) => void) | null;
}

function Said({ ref, segment: { speaker, text, startMs }, isSpoken, play }: SaidProps) {
  const { t } = useTranslation();
  return (
    <li ref={ref} className={`${styles.utterance} ${styles[speaker] ?? ''}`} aria-current={isSpoken || undefined}>
      <span className={`quiet ${styles.speaker}`}>
        {t(`speaker.${speaker}`)} {startMs !== null && formatSeconds(startMs / 1000)}
      </span>
      {play && startMs !== null ? (
        <Tooltip label={t('call.playFrom', { at: formatSeconds(startMs / 1000) })} openDelay={600} position="top-start">
          <button type="button" className={styles.bubble} onClick={() => play(startMs)}>
            {text}
          </button>
        </Tooltip>
      ) : (
        <div className={styles.bubble}>{text}</div>
      )}
    </li>
  );
}
