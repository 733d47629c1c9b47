import type { HandOver, HandOverWish } from './hand-over.ts';
import type { Conversation } from './conversation.ts';

/** How the way to a person came to its end. `gone`: the call is over; `none`: nobody took it, the script goes on. */
export type Meeting = 'met' | 'none' | 'gone';

export interface MeetingScope {
  nodeId: string;
  conversation: Conversation;
  handOver: HandOver;
  over: AbortSignal;
  /** Said when nobody is free. */
  sorry: string;
  /** Told when the customer has met the agent, and when the two have parted. */
  onMet?: () => void;
}

const NEXT_ONE = '坐席暂时无法接听，正在为您转接下一位，请稍候。';
const GOODBYE = '感谢您的来电，再见。';

/** Routes a call to a person, keeps the customer company meanwhile, and writes down what the two say. */
export async function meetAgent(scope: MeetingScope, wish: HandOverWish): Promise<Meeting> {
  const { nodeId, conversation, handOver, over, sorry } = scope;
  const refusal = await handOver.route(wish);
  if (refusal !== null) {
    await conversation.say(nodeId, sorry);
    return over.aborted ? 'gone' : 'none';
  }
  for (;;) {
    const news = await handOver.next();
    if (news === null) return 'gone';
    if (news.status === 'unanswered') await conversation.say(nodeId, NEXT_ONE);
    if (news.status === 'failed') {
      await conversation.say(nodeId, sorry);
      return over.aborted ? 'gone' : 'none';
    }
    if (news.status === 'joined') {
      scope.onMet?.();
      return talkUntilEnded(scope);
    }
    if (news.status === 'ended') return 'met';
  }
}

/** Captions go on while the agent and the customer talk. */
async function talkUntilEnded({ nodeId, conversation, handOver, over }: MeetingScope): Promise<Meeting> {
  const parted = new AbortController();
  const talking = conversation.meet(nodeId, AbortSignal.any([parted.signal, over]));
  for (let news = await handOver.next(); news !== null && news.status !== 'ended'; ) news = await handOver.next();
  parted.abort();
  await talking;
  if (over.aborted) return 'gone';
  await conversation.say(nodeId, GOODBYE);
  return 'met';
}
