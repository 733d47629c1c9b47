import { useApolloClient } from '@apollo/client/react';
import { Tooltip } from '@mantine/core';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { useAct } from '../../ui/use-act.ts';
import { ClaimCallDocument } from '../conferences/target.generated.ts';
import { TargetModal } from '../conferences/target-modal.tsx';
import { TakersDocument } from './call-panel.generated.ts';
import styles from './live.module.css';
import { ownPhone } from './taker.tsx';

interface ClaimButtonProps {
  callKey: string;
  /** Called with the claimed call, to open it. */
  onClaimed: (callKey: string) => void;
}

/** Claims a call that needs an agent, from its card or row. */
export function ClaimButton({ callKey, onClaimed }: ClaimButtonProps) {
  const { t } = useTranslation();
  const { may } = useMe();
  const { run, isBusy, refused } = useAct();
  const client = useApolloClient();
  const [isAsked, setAsked] = useState(false);
  const claim = async () => {
    const { data } = await client.query({ query: TakersDocument, fetchPolicy: 'network-only' });
    // Without a phone of one's own nobody else is rung unasked. Who may not choose learns the reason from the command.
    if (may('campaign:dispatch') === true && ownPhone(data) === null && data?.agents?.length) return setAsked(true);
    if (await run(ClaimCallDocument, { callKey, when: 'NOW' }, t('acts.claimed'))) onClaimed(callKey);
  };
  return (
    // A click on the button must not open the call.
    // oxlint-disable-next-line jsx_a11y/click-events-have-key-events, jsx_a11y/no-static-element-interactions
    <span className={styles.claim} onClick={(event: MouseEvent) => event.stopPropagation()}>
      <ActButton act={() => void claim()} loading={isBusy} size="compact-xs" color="violet" shortcut="C">
        {t('callAct.CLAIM')}
      </ActButton>
      <TargetModal
        asked={isAsked ? 'ASSIGN' : null}
        callKey={callKey}
        when="NOW"
        conferenceId=""
        close={() => {
          setAsked(false);
          onClaimed(callKey);
        }}
      />
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
