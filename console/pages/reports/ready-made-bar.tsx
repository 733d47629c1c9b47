import { Button, Group, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { isSameQuestion } from './question.ts';
import { READY_MADE } from './ready-made.ts';
import styles from './reports.module.css';
import { useQuestion } from './use-question.ts';

/** Ready-made questions; the range and the filters stay when one is chosen. */
export function ReadyMadeBar() {
  const { t } = useTranslation();
  return (
    <Group gap={6} className={styles.ready ?? ''} role="group" aria-label={t('reports.readyMade')}>
      {READY_MADE.map(({ key, needs }) =>
        needs ? <Guarded key={key} name={key} needs={needs} /> : <Ready key={key} name={key} reason={null} />,
      )}
    </Group>
  );
}

function Guarded({ name, needs }: { name: string; needs: string }) {
  return <Ready name={name} reason={useDisabledReason(needs)} />;
}

function Ready({ name, reason }: { name: string; reason: string | null }) {
  const { t } = useTranslation();
  const { question, ask } = useQuestion();
  const ready = READY_MADE.find(({ key }) => key === name)?.question;
  const isChosen = ready !== undefined && isSameQuestion(question, ready);
  return (
    <Tooltip
      label={reason ?? t(`reports.readyAbout.${name}`)}
      multiline
      maw={320}
      openDelay={500}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Button
        size="compact-md"
        variant={isChosen ? 'filled' : 'default'}
        fw={400}
        aria-pressed={isChosen}
        aria-disabled={reason !== null}
        data-disabled={reason !== null || undefined}
        onClick={() => reason === null && ready && ask({ ...ready, chosen: question.chosen })}
      >
        {t(`reports.ready.${name}`)}
      </Button>
    </Tooltip>
  );
}
