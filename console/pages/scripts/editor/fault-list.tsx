import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Say } from '../script-words.ts';
import { placeOf, type ScriptFault } from './editor-faults.ts';
import styles from './editor.module.css';
import { type EditedScript, nodeOf } from './graph.ts';

interface FaultListProps {
  faults: readonly ScriptFault[];
  script: EditedScript;
  show: (place: NonNullable<ReturnType<typeof placeOf>>) => void;
}

/** Most faults in the list; the rest stand at their nodes. */
const MAX_SHOWN = 4;

/** The server's problems with the draft; each links to its place. */
export function FaultList({ faults, script, show }: FaultListProps) {
  const { t } = useTranslation();
  if (faults.length === 0) return null;
  const isBlocking = faults.some(fault => fault.isBlocking);
  return (
    <Alert color={isBlocking ? 'red' : 'yellow'} p="xs" className={styles.faultList} aria-label={t('scriptEditor.faultList')}>
      <ul className={styles.faults}>
        {faults.slice(0, MAX_SHOWN).map(fault => {
          const place = placeOf(fault);
          const words = faultWords(fault, script, t);
          return (
            <li key={fault.field + fault.problem}>
              {place ? (
                <button type="button" className={styles.link} onClick={() => show(place)}>
                  {words}
                </button>
              ) : (
                words
              )}
            </li>
          );
        })}
        {faults.length > MAX_SHOWN && <li className="quiet">{t('scriptEditor.moreFaults', { count: faults.length - MAX_SHOWN })}</li>}
      </ul>
    </Alert>
  );
}

/** The server's words name a node themselves; the place of any other fault is put before them. */
function faultWords({ field, nodeId, problem }: ScriptFault, script: EditedScript, say: Say): string {
  const name = nodeOf(script, nodeId)?.name || nodeId || field;
  return problem.includes(name) ? problem : say('scriptEditor.faultAt', { name, problem });
}
