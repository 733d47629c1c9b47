import type { HandOver, HandOverRequest } from './hand-over.ts';
import type { Conversation } from './conversation.ts';

/**
 * How the way to a person came to its end. `gone`: the call is over; `none`: nobody took it, the script goes on; `asked`: somebody steps in while
 * phones ring.
 */
export type Meeting = 'met' | 'gone' | 'asked' | 'none';

export interface MeetingScope {
  nodeId: string;
  conversation: Conversation;
  handOver: HandOver;
  over: AbortSignal;
  /** Said while the first phone begins to ring. */
  hello: string;
  /** Said when nobody is free. */
  sorry: string;
  /** Told when the customer has met the agent. */
  onMet?: (agentId: number | null) => void;
  /** Told as soon as it is known that nobody comes, before the customer has heard it; why not (Chinese), when that was said. */
  onNobody?: (reason: string | null) => void;
}

const NEXT_ONE = '坐席暂时无法接听，正在为您转接下一位，请稍候。';
const GOODBYE = '感谢您的来电，再见。';

/** Routes a call to a person, keeps the customer company meanwhile, and writes down what the two say. */
export async function meetAgent(scope: MeetingScope, request: HandOverRequest): Promise<Meeting> {
  const { nodeId, conversation, handOver, over, hello } = scope;
  const [isRouted] = await Promise.all([route(scope, request), conversation.say(nodeId, hello)]);
  if (!isRouted) return sorry(scope);
  // Whoever steps in is heard before the agent that the script asked for.
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

/** Captions go on while the agent and the customer talk. */
async function talkUntilEnded(scope: MeetingScope): Promise<Meeting> {
  const { nodeId, conversation, handOver, over } = scope;
  const parted = new AbortController();
  const talking = conversation.meet(nodeId, AbortSignal.any([parted.signal, over]));
  let news = await handOver.next();
  while (news !== null && news !== 'asked' && news.status !== 'ended' && news.status !== 'failed') news = await handOver.next();
  parted.abort();
  await talking;
  if (over.aborted) return 'gone';
  // The agent's phone was lost: the customer is the script's again.
  if (news !== null && news !== 'asked' && news.status === 'failed') return sorry(scope);
  if (!handOver.isAsked()) await conversation.say(nodeId, GOODBYE);
  return 'met';
}
