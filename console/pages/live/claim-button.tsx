import { Tooltip } from '@mantine/core';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../../ui/act-button.tsx';
import { useAct } from '../../ui/use-act.ts';
import { ClaimCallDocument } from '../conferences/target.generated.ts';
import styles from './live.module.css';

interface ClaimButtonProps {
  callKey: string;
  /** Called with the claimed call, to open it. */
  onClaimed: (callKey: string) => void;
}

/** Claims a call that needs an agent, from its card or row. */
export function ClaimButton({ callKey, onClaimed }: ClaimButtonProps) {
  const { t } = useTranslation();
  const { run, isBusy, refused } = useAct();
  const claim = async () => {
    if (await run(ClaimCallDocument, { callKey, when: 'NOW' }, t('acts.claimed'))) onClaimed(callKey);
  };
  return (
    // A click on the button must not open the call.
    // oxlint-disable-next-line jsx_a11y/click-events-have-key-events, jsx_a11y/no-static-element-interactions
    <span className={styles.claim} onClick={(event: MouseEvent) => event.stopPropagation()}>
      <ActButton act={() => void claim()} loading={isBusy} size="compact-xs" color="violet" shortcut="C">
        {t('callAct.CLAIM')}
      </ActButton>
      {refused && (
        <Tooltip label={refused} multiline maw={280}>
          <span role="alert" className={`tone-failed ${styles.ellipsis}`}>
            {refused}
          </span>
        </Tooltip>
      )}
    </span>
  );
}
