import { useTranslation } from 'react-i18next';

interface ScriptStateProps {
  isEnabled: boolean;
  isTaken: boolean;
}

/** Whether campaigns use a script: an enabled one may be overridden by a newer one. */
export function ScriptState({ isEnabled, isTaken }: ScriptStateProps) {
  const { t } = useTranslation();
  if (isTaken) return <span className="tone-answered">{t('scriptState.taken')}</span>;
  return isEnabled ? (
    <span className="tone-waiting">{t('scriptState.behind')}</span>
  ) : (
    <span className="quiet">{t('scriptState.disabled')}</span>
  );
}
