import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  type FieldNode,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { assert } from '#kernel/assert.ts';
import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import { FanOut, mapChannel, type Membership, type Sink } from '../feeds/fan-out.ts';
import type { OperationContext } from './context.ts';
import { PER_VIEWER } from './guard.ts';
import type { PreparedOperation } from './prepare.ts';
import type { SocketLink } from './socket-link.ts';
import type { SubscriptionSource } from './subscription-source.ts';

const AFTER_PAYLOAD = Buffer.from('}');

/** Joins the subscribers of an operation. */
export type Join = (sink: Sink<Buffer>) => Membership;

/**
 * One subscription of one client.
 *
 * Why: the payload is written to the socket as shared bytes; only the id is put in front of it
 */
export class SubscriberStream implements Sink<Buffer> {
  /** Id that the client chose for the operation. */
  readonly id: string;
  readonly #link: SocketLink;
  readonly #onEnd: (stream: SubscriberStream) => void;
  #beforePayload: Buffer | null = null;
  #membership: Membership | null = null;
  /** Messages were dropped; the socket reports when the client has read. */
  #isBehind = false;
  #isOver = false;

  /** `onEnd` is called when nothing can follow, not when the client leaves. */
  constructor(id: string, link: SocketLink, onEnd: (stream: SubscriberStream) => void) {
    this.id = id;
    this.#link = link;
    this.#onEnd = onEnd;
  }

  begin(join: Join): void {
    this.#beforePayload = Buffer.from(`{"id":${JSON.stringify(this.id)},"type":"next","payload":`);
    this.#membership = join(this);
    if (this.#isOver) this.#membership.leave();
  }

  leave(): void {
    this.#isOver = true;
    this.#membership?.leave();
  }

  end(): void {
    if (this.#isOver) return;
    this.leave();
    this.#onEnd(this);
  }

  put(payload: Buffer, isOwed: boolean): void {
    if (!this.#beforePayload || this.#isOver || (this.#isBehind && !isOwed)) return;
    if (this.#link.writeText([this.#beforePayload, payload, AFTER_PAYLOAD], isOwed) || this.#isBehind) return;
    this.#isBehind = true;
    this.#link.onceDrained(() => {
      this.#isBehind = false;
      if (!this.#isOver) this.#membership?.catchUp();
    });
  }
}

/** One subscribe message of a client. */
interface Subscription extends PreparedOperation {
  contextValue: OperationContext;
}

interface SubscriberOptions {
  clock: Clock;
  /** Creates the context for executing one event, without the rows loaded for an earlier one. */
  renewContext(context: OperationContext): OperationContext;
  /** Converts a result to the form that clients receive. */
  present(result: ExecutionResult, context: OperationContext): object;
}

/** Value of the root field, by the name of that field. */
interface RootValue {
  [field: string]: unknown;
}

/**
 * Subscribes clients so that each event is executed and encoded once for all that sent the same operation and may see the same.
 *
 * Why:    the key of what is shared: document, operation, variables (except the cursor), permissions, language, the source's own scope,
 *         which includes the viewer, and the caller where a field of the document depends on it
 * Errors: a result with errors when the source refuses
 */
export class Subscriber {
  readonly #schema: GraphQLSchema;
  readonly #options: SubscriberOptions;
  readonly #fanOut: FanOut<RootValue, Buffer>;
  readonly #documentKeys = new WeakMap<DocumentNode, number>();
  #lastDocumentKey = 0;
  readonly #perViewer = new WeakMap<DocumentNode, boolean>();

  constructor(schema: GraphQLSchema, options: SubscriberOptions) {
    this.#schema = schema;
    this.#options = options;
    this.#fanOut = new FanOut(options.clock);
  }

  /** Returns a function that joins the subscribers, or a result with the reason why it is refused. */
  async subscribe(subscription: Subscription): Promise<Join | ExecutionResult> {
    const operation = getOperationAST(subscription.document, subscription.operationName);
    assert(operation, 'only known operations get here');
    const variables = getVariableValues(this.#schema, operation.variableDefinitions ?? [], subscription.variableValues ?? {});
    if (variables.errors) return { errors: variables.errors };
    const node = rootFieldOf(subscription.document, operation.selectionSet);
    if (!node) return { errors: [conditionalRoot(operation)] };
    try {
      const source = await this.#sourceOf(node, variables.coerced, subscription.contextValue);
      return this.#joinOf(subscription, { operation, node, source });
    } catch (error) {
      return { errors: [locatedError(error, node, [node.alias?.value ?? node.name.value])] };
    }
  }

  async #sourceOf(node: FieldNode, variables: Record<string, unknown>, context: OperationContext): Promise<SubscriptionSource> {
    const field = this.#schema.getSubscriptionType()?.getFields()[node.name.value];
    assert(field?.subscribe, 'a valid document names a field, and each has a source');
    const args: Record<string, unknown> = getArgumentValues(field, node, variables);
    // Calls the guarded source without resolve info, because neither guard nor source uses it.
    return (await Reflect.apply(field.subscribe, undefined, [undefined, args, context])) as SubscriptionSource;
  }

  #joinOf(
    subscription: Subscription,
    { operation, node, source }: { operation: OperationDefinitionNode; node: FieldNode; source: SubscriptionSource },
  ): Join {
    const { document, operationName, contextValue } = subscription;
    const cursorName = cursorVariable(document, node);
    // Other variables are not part of the operation, even if a client sends them.
    const names = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value).filter(name => name !== cursorName);
    const given = subscription.variableValues ?? {};
    const variables = names.filter(name => Object.hasOwn(given, name)).map(name => [name, given[name]]);
    const permissions = [...(contextValue.caller?.permissions ?? [])].sort();
    const groupKey = [
      this.#documentKey(document),
      operation.name?.value,
      variables,
      permissions,
      node.name.value,
      source.channel.key,
      this.#viewerOf(document, contextValue),
      contextValue.language,
    ];
    // Uses the cursor of the first subscriber: no event depends on it, but the document may require one.
    const { variableValues } = subscription;
    const encode = (rootValue: RootValue) =>
      this.#encode({ document, operationName, variableValues, rootValue, contextValue: this.#options.renewContext(contextValue) });
    const { name } = node;
    const channel = { ...mapChannel(source.channel, value => ({ [name.value]: value })), key: JSON.stringify(groupKey) };
    return sink => {
      const left = source.onJoin?.() ?? null;
      const membership = this.#fanOut.join(channel, encode, { cursor: source.after, sink });
      if (left === null) return membership;
      return {
        catchUp: membership.catchUp,
        leave() {
          membership.leave();
          left();
        },
      };
    };
  }

  #encode(args: Omit<Parameters<typeof execute>[0], 'schema'> & { contextValue: OperationContext }): Buffer | Promise<Buffer> {
    const bytes = (result: ExecutionResult) => Buffer.from(JSON.stringify(this.#options.present(result, args.contextValue)));
    const result = execute({ schema: this.#schema, ...args });
    return result instanceof Promise ? result.then(bytes) : bytes(result);
  }

  /** Null, unless the document has a field whose value depends on the caller. */
  #viewerOf(document: DocumentNode, { caller }: OperationContext): number | null {
    const known = this.#perViewer.get(document) ?? isPerViewer(this.#schema, document);
    this.#perViewer.set(document, known);
    return known ? (caller?.userId ?? null) : null;
  }

  #documentKey(document: DocumentNode): number {
    const key = this.#documentKeys.get(document) ?? (this.#lastDocumentKey += 1);
    this.#documentKeys.set(document, key);
    return key;
  }
}

function isPerViewer(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let found = false;
  const visitor = { Field: () => void (found ||= types.getFieldDef()?.extensions[PER_VIEWER] === true) };
  visit(document, visitWithTypeInfo(types, visitor));
  return found;
}

/** The only root field of a valid subscription; null when a directive decides whether it is included. */
function rootFieldOf(document: DocumentNode, { selections }: SelectionSetNode): FieldNode | null {
  const [selection] = selections;
  if (!selection || selection.directives?.length) return null;
  if (selection.kind === Kind.FIELD) return selection;
  if (selection.kind === Kind.INLINE_FRAGMENT) return rootFieldOf(document, selection.selectionSet);
  const fragment = document.definitions.find(
    definition => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
  );
  return fragment?.kind === Kind.FRAGMENT_DEFINITION ? rootFieldOf(document, fragment.selectionSet) : null;
}

function conditionalRoot(operation: OperationDefinitionNode): GraphQLError {
  const fault = new CalloutError('INVALID_ARGUMENT', '订阅的根字段不能带指令');
  return new GraphQLError(fault.message, { nodes: operation, originalError: fault });
}

/** Name of the variable that supplies only the root field's `after`: clients that differ in nothing else share one stream. */
function cursorVariable(document: DocumentNode, node: FieldNode): string | null {
  const value = node.arguments?.find(({ name }) => name.value === 'after')?.value;
  if (value?.kind !== Kind.VARIABLE) return null;
  const name = value.name.value;
  let uses = 0;
  visit(document, {
    VariableDefinition: () => false,
    Variable: variable => {
      if (variable.name.value === name) uses += 1;
    },
  });
  return uses === 1 ? name : null;
}
