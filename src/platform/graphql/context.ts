import type { Caller } from '#kernel/caller.ts';
import type { Language } from './language.ts';

/** Who sends an operation, and how its failures are told. */
export interface Requester {
  /** Null without a valid session. */
  caller: Caller | null;
  traceId: string;
  /** Language of failure messages. */
  language: Language;
}

/** What the machinery of GraphQL reads of an operation's context; what resolvers need besides is `graph/context.ts`. */
export interface OperationContext extends Requester {
  /** Discards the rows loaded so far, because they may be outdated. */
  forget(): void;
}

export type CreateContext = (requester: Requester) => OperationContext;
