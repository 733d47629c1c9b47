import { useMutation } from '@apollo/client/react';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { type LegFragment, RemoveParticipantDocument } from './legs.generated.ts';
import styles from './legs.module.css';

interface LegsProps {
  legs: readonly LegFragment[];
  /** Row id. */
  conferenceId: string;
  /** Called when a participant was removed. */
  changed: () => void;
}

/** Participants of a conference, how each joined, and whether they are muted; each can be removed. */
export function Legs({ legs, conferenceId, changed }: LegsProps) {
  const { t } = useTranslation();
  const [remove] = useMutation(RemoveParticipantDocument);
  const here = legs.filter(({ status }) => status !== 'ENDED');
  const agents = here.filter(({ role }) => role === 'AGENT');

  async function takeOut({ softphoneCallId, role }: LegFragment): Promise<string | null> {
    // The dialog has named the consequence, so even the last agent may be removed.
    const force = role === 'AGENT' && agents.length === 1;
    const { data } = await remove({ variables: { conferenceId, softphoneCallId, force } });
    if (isRefusal(data?.result)) return data.result.message;
    changed();
    return null;
  }

  return (
    <ul className={styles.legs}>
      {here.map(leg => {
        const who = leg.agentName || formatPhone(leg.targetNumber);
        const isLast = leg.role === 'AGENT' && agents.length === 1;
        return (
          <li key={leg.id}>
            <span>
              {who}
              <Text span className="quiet">
                {' '}
                {t(`legMode.${leg.mode}`)} · {t(`legStatus.${leg.status}`)}
                {leg.status === 'JOINED' && !leg.canSpeak && ` · ${t('legs.muted')}`}
              </Text>
            </span>
            <ConfirmButton
              size="compact-xs"
              variant="subtle"
              color="red"
              act={() => takeOut(leg)}
              title={t('legs.title', { who })}
              warning={t(isLast ? 'legs.losesCustomer' : 'legs.loses')}
            >
              {t('legs.remove')}
            </ConfirmButton>
          </li>
        );
      })}
    </ul>
  );
}
