import { Alert, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { isOver } from '../../live/call-order.ts';
import { formatSeconds } from '../../text/format.ts';
import { useServerWords } from '../../text/server-words.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useNow } from '../../ui/use-now.ts';
import { CancelClaimDocument } from './acts.generated.ts';
import type { OpenCall } from './open-call.ts';

const COLORS: Record<string, string> = { FAILED: 'red', EXPIRED: 'yellow', CANCELLED: 'gray', ENDED: 'gray' };

/** State of the claim: pending and for how long at most, talking, or why it failed. */
export function Outcome({ call }: { call: OpenCall }) {
  const { t } = useTranslation();
  const words = useServerWords();
  const { user } = useMe();
  const { callKey, intervention } = call;
  if (!intervention) return null;
  const { status, when, reason, endsBy, initiatorId, agent, initiator } = intervention;
  const isMine = initiatorId !== null && initiatorId === user?.databaseId;
  const said = () => {
    if (status === 'REQUESTED') return t(`interventionWhen.${when}`);
    if (status !== 'ACTIVE' || !agent) return words(`interventionOutcome.${whatOf(call)}`, reason);
    const who = initiator?.displayName;
    return t(`interventionOutcome.${who ? 'BY_AGENT_FOR' : 'BY_AGENT'}`, { agent: agent.name, who });
  };
  return (
    <Alert color={COLORS[status] ?? 'violet'} p="xs" my="xs" role="status" title={t(`interventionStatus.${status}`)}>
      {said()}
      {endsBy && (
        <Group gap="sm" mt={4}>
          <Left status={status} endsBy={endsBy} />
          {status === 'REQUESTED' && isMine && <Cancel callKey={callKey} />}
        </Group>
      )}
    </Alert>
  );
}

/** Why a claim failed: the call ended, or there was no capacity for it. */
function whatOf({ status, intervention }: OpenCall): string {
  return intervention?.status === 'EXPIRED' && isOver({ status }) ? 'CALL_ENDED' : (intervention?.status ?? '');
}

/** Time left before an unanswered claim expires. */
function Left({ status, endsBy }: { status: string; endsBy: string }) {
  const { t } = useTranslation();
  const seconds = Math.max(0, (Date.parse(endsBy) - useNow()) / 1_000);
  return <span role="timer">{t(`interventionLeft.${status}`, { left: formatSeconds(seconds) })}</span>;
}

function Cancel({ callKey }: { callKey: string }) {
  const { t } = useTranslation();
  const { run, isBusy } = useAct();
  const act = () => void run(CancelClaimDocument, { callKey }, t('acts.done.CANCEL_CLAIM'));
  return (
    <ActButton size="compact-xs" variant="default" loading={isBusy} act={act}>
      {t('callAct.CANCEL_CLAIM')}
    </ActButton>
  );
}
