import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface ScriptStateProps {
  isEnabled: boolean;
  isTaken: boolean;
}

/** Whether campaigns take a script: it may be enabled and stand behind a newer one. */
export function ScriptState({ isEnabled, isTaken }: ScriptStateProps) {
  const { t } = useTranslation();
  const state = isTaken ? 'taken' : isEnabled ? 'behind' : 'disabled';
  return (
    <Badge variant="light" color={isTaken ? 'green' : isEnabled ? 'yellow' : 'gray'} radius="sm" tt="none">
      {t(`scriptState.${state}`)}
    </Badge>
  );
}
