import type { GraphQLResolveInfo } from 'graphql';
import { assert } from '#kernel/assert.ts';
import type { ErrorCode, Reason } from '#kernel/errors.ts';
import type { User } from '#users/user.ts';
import type { SessionUser } from '#users/own-account.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Language } from '#kernel/problem.ts';
import type { OperationContext, Requester } from '#platform/graphql/context.ts';
import { createLoaders, type Loaders } from './loaders.ts';
import type { App } from '#app/app.ts';

/** A user row, or the user of the caller's own session, which has fewer members. */
export type UserModel = SessionUser | User;

/** Outcome of a command for one of several rows of a type. */
export interface BulkOutcome {
  typeName: string;
  databaseId: number | null;
  code: ErrorCode | null;
  reason: Reason | null;
  message: string | null;
}

/** Context of one operation: its caller, and the rows loaded for it so far. */
export interface GraphContext extends OperationContext {
  app: App;
  readonly loaders: Loaders;
}

/** Creates the loaders at their first use, because many operations load no row. */
class LoadingContext implements GraphContext {
  readonly app: App;
  readonly caller: Caller | null;
  readonly traceId: string;
  readonly language: Language;
  // Apollo copies the members of a context for each operation, which a #member would not survive.
  private loaded: Loaders | null = null;

  constructor(app: App, { caller, traceId, language }: Requester) {
    this.app = app;
    this.caller = caller;
    this.traceId = traceId;
    this.language = language;
  }

  get loaders(): Loaders {
    return (this.loaded ??= createLoaders(this.app));
  }

  forget(): void {
    this.loaded = null;
  }
}

export function createContext(app: App, requester: Requester): GraphContext {
  return new LoadingContext(app, requester);
}

/** The caller of a guarded field, which the guard has already checked. */
export function callerOf(context: GraphContext, info: GraphQLResolveInfo): Caller {
  assert(context.caller, `${info.parentType.name}.${info.fieldName} needs a guard`);
  return context.caller;
}
