import { useMutation, useQuery } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { isRefusal } from '../../api/refusal.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import {
  type CallbackRowFragment,
  CancelAgentCallbackDocument,
  CancelCallbackDocument,
  OwnAgentDocument,
  PromiseAgentCallbackDocument,
  PromiseCallbackDocument,
} from './callbacks.generated.ts';

/** The members of a callback that a user may change. `agentId` empty: anybody makes it. */
export interface Agreed {
  dueAt: string;
  until: string | null;
  note: string;
  agentId: string;
}

type Target = Pick<CallbackRowFragment, 'campaignId' | 'contactId'>;

/**
 * Promises a contact a call, or moves or cancels the promise: users who may edit contacts for any agent, an agent for itself.
 *
 * `reasonOf`: why the user may not move or cancel a callback; null when they may
 */
export function usePromise() {
  const { t } = useTranslation();
  const myAgentId = useMyAgentId();
  const [promise] = useMutation(PromiseCallbackDocument);
  const [promiseOwn] = useMutation(PromiseAgentCallbackDocument);
  const [cancel] = useMutation(CancelCallbackDocument);
  const [cancelOwn] = useMutation(CancelAgentCallbackDocument);
  const lacks = useDisabledReason('contact:write');
  const { may, user } = useMe();
  const mayAll = may('contact:write') === true;
  return {
    mayAll,
    myAgentId,
    send: async ({ campaignId, contactId }: Target, { dueAt, until, note, agentId }: Agreed) => {
      const input = { dueAt, until, note: note.trim() };
      if (mayAll || myAgentId === null) {
        return (await promise({ variables: { campaignId, contactId, input: { ...input, agentId: agentId || null } } })).data?.result;
      }
      const own = { ...input, contactId, isPersonal: agentId !== '' };
      return (await promiseOwn({ variables: { agentId: myAgentId, input: own } })).data?.result;
    },
    cancel: async (id: string) => {
      if (mayAll || myAgentId === null) return (await cancel({ variables: { id } })).data?.result;
      return (await cancelOwn({ variables: { agentId: myAgentId, id } })).data?.result;
    },
    reasonOf: (callback: CallbackRowFragment): string | null => {
      if (callback.status !== 'PROMISED') return t('callbacks.over');
      return isOwn(callback, { agentId: myAgentId, userId: user?.id }) ? null : lacks;
    },
  };
}

/** The agent's to keep, or made by the agent for anybody. */
function isOwn({ agentId, source, createdBy }: CallbackRowFragment, own: { agentId: string | null; userId: string | undefined }): boolean {
  if (own.agentId === null) return false;
  return agentId === null ? source === 'AGENT' && createdBy?.id === own.userId : agentId === own.agentId;
}

/** Row id of the user's own agent; null: none. */
function useMyAgentId(): string | null {
  const { may } = useMe();
  const { data } = useQuery(OwnAgentDocument, { skip: may('agent:operate') !== true });
  return data?.myAgent?.databaseId ?? null;
}

/** Moves a callback by so many minutes; resolves to the reason of a refusal, or to null. */
export function useShift(): (callback: CallbackRowFragment, byMinutes: number) => Promise<string | null> {
  const { send, reasonOf } = usePromise();
  return async (callback, byMinutes) => {
    const reason = reasonOf(callback);
    if (reason !== null) return reason;
    const dueAt = new Date(new Date(callback.dueAt).getTime() + byMinutes * 60_000).toISOString();
    const result = await send(callback, { ...callback, dueAt, agentId: callback.agentId ?? '' });
    return isRefusal(result) ? result.message : null;
  };
}
