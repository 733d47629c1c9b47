import type { CallActionsQuery, TakersQuery } from './call-panel.generated.ts';
import type { OpenCall } from './open-call.ts';

/** How the user's phone hears the call. */
export type Hearing = 'LISTEN' | 'WHISPER' | 'BARGE';

type Known = Extract<NonNullable<CallActionsQuery['node']>, { __typename: 'LiveCall' }>;

const IN_CONFERENCE: Readonly<Record<string, Hearing>> = { LISTEN: 'LISTEN', WHISPER: 'WHISPER', BARGE: 'BARGE' };

/** The user's own mode in the call; null when their phone does not hear it. */
export function hearingOf(
  call: OpenCall,
  known: Known | null,
  { takers, userId }: { takers: TakersQuery | undefined; userId: string },
): Hearing | null {
  const agentId = takers?.myAgent?.databaseId;
  if (agentId === undefined) return null;
  const leg = known?.conference?.legs.find(each => each.agentId === agentId && each.role === 'SUPERVISOR' && each.status !== 'ENDED');
  if (leg) return IN_CONFERENCE[leg.mode] ?? null;
  if (takers?.myAgent?.currentCall?.callKey !== call.callKey) return null;
  const last = call.guidance.findLast(
    one => one.userId === userId && (one.kind === 'LISTEN' || one.kind === 'BARGE' || one.kind === 'LISTEN_ENDED'),
  );
  return last?.kind === 'LISTEN' || last?.kind === 'BARGE' ? last.kind : null;
}
