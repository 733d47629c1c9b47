import { useApolloClient, useQuery } from '@apollo/client/react';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import type { WatchedCall } from '../../live/call-changes.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useActionDisabledReason } from '../../ui/use-disabled-reason.ts';
import { ClaimCallDocument } from '../conferences/target.generated.ts';
import { TargetModal } from '../conferences/target-modal.tsx';
import { CallActionsDocument, TakersDocument } from './call-panel.generated.ts';
import styles from './live.module.css';
import { ownPhone } from './taker.tsx';

interface ClaimButtonProps {
  call: WatchedCall;
  /** Called with the claimed call, to open it. */
  onClaimed: (callKey: string) => void;
}

/** Claims a call that needs an agent, from its card or row; nothing where the user's own phone is in the call. */
export function ClaimButton(props: ClaimButtonProps) {
  const { user } = useMe();
  const isIn = props.call.people.some(({ userId, leftAt }) => userId === user?.databaseId && leftAt === null);
  return isIn ? null : <Claim {...props} />;
}

/** Refresh interval in ms of whether the user may claim: their phone and status are no events of the call. */
const LOOK_MS = 5_000;

/** Reason why the user may not claim; a supervisor chooses the phone that rings instead, and this reason does not apply. */
function useClaimReason({ id }: WatchedCall): string | null {
  const { may } = useMe();
  const disabledReasonOf = useActionDisabledReason();
  const isSupervisor = may('campaign:dispatch') === true;
  const variables = { id, isSupervisor: false };
  const { data } = useQuery(CallActionsDocument, { variables, skip: isSupervisor, pollInterval: LOOK_MS, fetchPolicy: 'network-only' });
  return data?.node?.__typename === 'LiveCall' ? disabledReasonOf(data.node.actions, 'CLAIM') : null;
}

function Claim({ call, onClaimed }: ClaimButtonProps) {
  const { t } = useTranslation();
  const { may } = useMe();
  const { callKey } = call;
  const reason = useClaimReason(call);
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
      <ActButton act={() => void claim()} reason={reason} loading={isBusy} size="compact-xs" color="violet" shortcut="C">
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
      {(refused ?? reason) && (
        <span role={refused ? 'alert' : undefined} className={`${refused ? 'tone-failed' : 'quiet'} ${styles.claimWhy}`}>
          {refused ?? reason}
        </span>
      )}
    </span>
  );
}
