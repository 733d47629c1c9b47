import type { HandBackCommand } from '#protocol/guidance.ts';
import type { Conversation, HandOver, HandOverRequest, TransferNews } from './walk-scope.ts';

/**
 * Outcome of a transfer. `gone`: the call is over; `none`: no agent answered, and the script goes on; `asked`: an intervention came while
 * phones were ringing; `back`: the agent has given the customer back.
 */
export type Meeting = 'met' | 'gone' | 'asked' | 'none' | { back: HandBackCommand };

export interface MeetingScope {
  nodeId: string;
  conversation: Conversation;
  handOver: HandOver;
  over: AbortSignal;
  /** Spoken while the first phone begins to ring. */
  hello: string;
  /** Spoken when no agent is available. */
  sorry: string;
  /** Called when the customer and the agent are connected. */
  onMet?: (agentId: number | null) => void;
  /** Called as soon as it is certain that no agent comes, before the customer hears it; with the server's reason (Chinese), if any. */
  onNobody?: (reason: string | null) => void;
}

const NEXT_ONE = '坐席暂时无法接听，正在为您转接下一位，请稍候。';
const GOODBYE = '感谢您的来电，再见。';

/** Transfers a call to an agent, speaks to the customer meanwhile, and captions their talk. */
export async function meetAgent(scope: MeetingScope, request: HandOverRequest): Promise<Meeting> {
  const { nodeId, conversation, handOver, over, hello } = scope;
  const [isRouted] = await Promise.all([route(scope, request), conversation.say(nodeId, hello)]);
  if (!isRouted) return sorry(scope);
  // A requested intervention takes precedence over the agent that the script requested.
  const mayYield = request.interventionId === null;
  for (;;) {
    if (mayYield && handOver.isAsked()) return 'asked';
    const news = await handOver.next({ orAsked: mayYield });
    if (news === 'asked') return 'asked';
    if (news === null) return 'gone';
    if (news.status === 'unanswered') await conversation.say(nodeId, NEXT_ONE);
    if (news.status === 'failed') {
      scope.onNobody?.(null);
      return sorry(scope);
    }
    if (news.status === 'joined') {
      scope.onMet?.(news.agentId ?? null);
      return talkUntilEnded(scope);
    }
    if (news.status === 'back') return welcomeBack(scope, news.order);
    if (news.status === 'ended') return over.aborted ? 'gone' : 'met';
  }
}

async function route({ handOver, onNobody }: MeetingScope, request: HandOverRequest): Promise<boolean> {
  const refusal = await handOver.route(request);
  if (refusal !== null) onNobody?.(refusal);
  return refusal === null;
}

async function sorry({ nodeId, conversation, over, sorry: words }: MeetingScope): Promise<Meeting> {
  await conversation.say(nodeId, words);
  return over.aborted ? 'gone' : 'none';
}

const GO_ON = '感谢您的等候，我们继续。';

/** The script goes on with what agent and customer agreed. */
async function welcomeBack({ nodeId, conversation, over }: MeetingScope, order: HandBackCommand): Promise<Meeting> {
  await conversation.say(nodeId, GO_ON);
  return over.aborted ? 'gone' : { back: order };
}

/** Events after which the customer and the agent no longer talk. */
const PARTS: ReadonlySet<TransferNews['status']> = new Set(['ended', 'failed', 'back']);

/** Captions continue while the agent and the customer talk. */
async function talkUntilEnded(scope: MeetingScope): Promise<Meeting> {
  const { nodeId, conversation, handOver, over } = scope;
  const parted = new AbortController();
  const talking = conversation.meet(nodeId, AbortSignal.any([parted.signal, over]));
  let news = await handOver.next();
  while (news !== null && news !== 'asked' && !PARTS.has(news.status)) news = await handOver.next();
  parted.abort();
  await talking;
  if (over.aborted) return 'gone';
  if (news !== null && news !== 'asked' && news.status === 'back') return welcomeBack(scope, news.order);
  // The connection to the agent's phone was lost: the customer returns to the script.
  if (news !== null && news !== 'asked' && news.status === 'failed') return sorry(scope);
  if (!handOver.isAsked()) await conversation.say(nodeId, GOODBYE);
  return 'met';
}
