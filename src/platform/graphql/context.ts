import type { Caller } from '#kernel/caller.ts';
import type { Language } from '#kernel/problem.ts';

/** The caller of an operation, and the trace id and language of its failure messages. */
export interface Requester {
  /** Null without a valid session. */
  caller: Caller | null;
  traceId: string;
  /** Language of failure messages. */
  language: Language;
}

/** The members of an operation's context that this folder reads; `graph/context.ts` adds those of the resolvers. */
export interface OperationContext extends Requester {
  /** Discards the rows loaded so far, because they may be outdated. */
  forget(): void;
}

export type CreateContext = (requester: Requester) => OperationContext;
