import { Button, SegmentedControl, Text } from '@mantine/core';
import { IconVolumeOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { RefusedError } from '../../api/refused-error.ts';
import { formatSeconds } from '../../text/format.ts';
import styles from './call.module.css';
import { DownloadButton } from './download-button.tsx';
import type { Player } from './use-player.ts';

const SPEEDS = ['1', '1.5', '2'];

interface RecordingProps {
  player: Player;
  /** Address of the file; null when there is none that the user may hear. */
  url: string | null;
  /** Why it cannot be played; null when it can. */
  reason: string | null;
  durationSeconds: number | null;
}

/** The recording as a waveform with its position; where nobody may hear it, the reason alone, because a player that is dead says nothing. */
export function Recording({ player, url, reason, durationSeconds }: RecordingProps) {
  if (reason === null) return <WaveForm player={player} url={url} durationSeconds={durationSeconds} />;
  return (
    <Text size="sm" className={`quiet ${styles.unplayable}`}>
      <IconVolumeOff size={16} aria-hidden /> {reason}
    </Text>
  );
}

function WaveForm({ player, url, durationSeconds }: Omit<RecordingProps, 'reason'>) {
  const { t } = useTranslation();
  const { state, isPlaying, atMs, lengthMs, fault } = player;
  const isReady = state === 'ready';
  const length = isReady ? lengthMs / 1000 : durationSeconds;
  return (
    <div className={styles.recording}>
      <div className={styles.player}>
        <Button
          size="xs"
          variant={isReady ? 'default' : 'light'}
          onClick={player.toggle}
          loading={state === 'loading'}
          leftSection={<span aria-hidden>{isPlaying ? '❚❚' : '▶'}</span>}
        >
          {t(isPlaying ? 'call.pause' : 'call.play')}
        </Button>
        {length !== null && (
          <Text size="sm" className="quiet">
            {isReady ? `${formatSeconds(atMs / 1000)} / ${formatSeconds(length)}` : formatSeconds(length)}
          </Text>
        )}
        {isReady && (
          <SegmentedControl
            size="xs"
            ml="auto"
            aria-label={t('call.speed')}
            data={SPEEDS.map(value => ({ value, label: `${value}×` }))}
            value={String(player.speed)}
            onChange={value => player.setSpeed(Number(value))}
          />
        )}
        {url !== null && <DownloadButton url={url} />}
      </div>
      <div ref={player.place} className={isReady ? styles.wave : undefined} />
      {fault && <Fault fault={fault} again={player.toggle} />}
    </div>
  );
}

function Fault({ fault, again }: { fault: Error; again: () => void }) {
  const { t } = useTranslation();
  const isRefused = fault instanceof RefusedError;
  return (
    <div role="alert" className={styles.fault}>
      <span className="tone-failed">{isRefused ? fault.message : t('call.unheard')}</span>
      {isRefused && fault.traceId && <span className="quiet">{t('notice.trace', { traceId: fault.traceId })}</span>}
      <Button variant="subtle" size="compact-xs" onClick={again}>
        {t('call.again')}
      </Button>
    </div>
  );
}
