import { useTranslation } from 'react-i18next';
import type { EventRowFragment } from './events.generated.ts';

type LevelName = EventRowFragment['level'];

const TONES: Record<LevelName, string> = { INFO: 'quiet', WARNING: 'tone-waiting', ERROR: 'tone-failed' };
const SIGNS: Record<LevelName, string> = { INFO: '○', WARNING: '▲', ERROR: '■' };

/** How bad an event is: by its sign, its word and its colour. */
export function Level({ level }: { level: LevelName }) {
  const { t } = useTranslation();
  return (
    <span className={TONES[level]}>
      <span aria-hidden>{SIGNS[level]}</span> {t(`level.${level}`)}
    </span>
  );
}
