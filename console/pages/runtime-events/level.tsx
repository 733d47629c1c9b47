import { useTranslation } from 'react-i18next';
import type { EventRowFragment } from './events.generated.ts';

type LevelName = EventRowFragment['level'];

const TONES: Record<LevelName, string> = { INFO: 'quiet', WARNING: 'tone-waiting', ERROR: 'tone-failed' };
const SIGNS: Record<LevelName, string> = { INFO: '○', WARNING: '▲', ERROR: '■' };

/** Level of an event as icon, label and colour. */
export function Level({ level }: { level: LevelName }) {
  const { t } = useTranslation();
  return (
    <span className={TONES[level]}>
      <span aria-hidden>{SIGNS[level]}</span> {t(`level.${level}`)}
    </span>
  );
}
