import { useTranslation } from 'react-i18next';
import { formatSeconds } from '../../text/format.ts';
import type { CallQuery } from './call.generated.ts';
import type { CallRowFragment } from './calls.generated.ts';

/** States by which calls can be filtered, the bad ones first. */
export const RECORDING_STATES = ['MISSING', 'SHORT', 'SILENT', 'UNKNOWN', 'COMPLETE', 'PENDING', 'REMOVED', 'NONE'] as const;

type State = CallRowFragment['recordingState'];

const TONES: Partial<Record<State, string>> = {
  MISSING: 'tone-failed',
  SHORT: 'tone-failed',
  SILENT: 'tone-failed',
  UNKNOWN: 'tone-waiting',
};

/** Whether the recording of a call is complete, as a label; nothing for a call without one. */
export function RecordingStateText({ recordingState }: { recordingState: State }) {
  const { t } = useTranslation();
  if (recordingState === 'NONE') return null;
  return <span className={TONES[recordingState] ?? 'quiet'}>{t(`recordingState.${recordingState}`)}</span>;
}

/** The same with the seconds of a recording that is shorter than its call. */
export function RecordingFact({ call }: { call: NonNullable<CallQuery['attempt']> }) {
  const { t } = useTranslation();
  const { recordedSeconds = null, talkSeconds = null } = call.recordingState === 'SHORT' ? (call.recordingCheck ?? {}) : {};
  return (
    <>
      <RecordingStateText recordingState={call.recordingState} />
      {recordedSeconds !== null && talkSeconds !== null && (
        <span className="quiet">
          {' '}
          {t('call.recordingToldShort', { recorded: formatSeconds(recordedSeconds), talk: formatSeconds(talkSeconds) })}
        </span>
      )}
    </>
  );
}
