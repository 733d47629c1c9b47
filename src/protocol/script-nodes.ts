import { z } from 'zod';
import { MAX_CONDITION_ITEMS, SCRIPT_NODE_TYPES } from './script.ts';

// Schemas of the nodes in saved scripts, written for authors of runtimes. Scripts are parsed by the looser `runtimeScript`, because the
// configuration of a node is not validated when a script is saved; a runtime ignores members that do not fit.

/**
 * The input that a form offers for a member of `config`: a text, the key of a phrase, of a variable or of several fields, a number, prepared answers,
 * a group of agents.
 */
export const NODE_FIELD_KINDS = ['text', 'phrase', 'variable', 'fields', 'number', 'answers', 'group'] as const;
export type NodeFieldKind = (typeof NODE_FIELD_KINDS)[number];

interface FieldForm {
  kind: NodeFieldKind;
  min?: number;
  max?: number;
  fallback?: number;
}

const FORMS = z.registry<FieldForm>();

const spoken = {
  phrase: z
    .string()
    .optional()
    .meta({ description: '要说的话：phrases 的键；其中 {{变量}} 以变量的值代替，没有值则为空' })
    .register(FORMS, { kind: 'phrase' }),
  text: z.string().optional().meta({ description: '要说的话，直接写出；优先于 phrase' }).register(FORMS, { kind: 'text' }),
};

const bounded = (min: number, max: number, fallback: number, what: string) =>
  z
    .number()
    .optional()
    .meta({ default: fallback, description: `${what}，缺省 ${fallback}；${min} 至 ${max}，超出时取边界` })
    .register(FORMS, { kind: 'number', min, max, fallback });

/** Id of a node, or ids by branch key with a `default`. */
const nextBy = (description: string) => z.union([z.string(), z.object({ default: z.string() }).catchall(z.string())]).meta({ description });
const next = nextBy('下一节点的 id，或按分支键给出；此类节点只走 default');
const last = next.nullable().meta({ description: '不起作用，一般为 null' });

function node<Type extends string, Config extends z.ZodRawShape, Next extends z.ZodType>(type: Type, config: Config, next: Next) {
  return z.object({ id: z.string(), type: z.literal(type), name: z.string(), config: z.looseObject(config), next });
}

/** Node types, each with its `config` and the targets of `next`. Source: D11 */
export const SCRIPT_NODES = {
  start: node('start', {}, next).meta({ id: 'StartNode', description: '通话从这里开始，不说话' }),
  send: node('send', spoken, next).meta({ id: 'SendNode', description: '说一句话，不等待回答' }),
  collect: node(
    'collect',
    {
      ...spoken,
      listenMs: bounded(1_000, 60_000, 6_000, '等待客户开口的毫秒数'),
      retries: bounded(0, 5, 1, '客户没有说话时重问的次数'),
      retryPhrase: z
        .string()
        .optional()
        .meta({ description: '重问时说的话：phrases 的键；缺省重复原话' })
        .register(FORMS, { kind: 'phrase' }),
      variable: z.string().optional().meta({ description: '以此变量记下客户的原话' }).register(FORMS, { kind: 'variable' }),
      fields: z
        .array(z.string())
        .optional()
        .meta({ description: '从回答中提取的字段：nlu.fields 的键，值写入同名变量' })
        .register(FORMS, { kind: 'fields' }),
    },
    nextBy('下一节点的 id，或按分支键给出：silence 为客户没有说话，其余走 default'),
  ).meta({ id: 'CollectNode', description: '提问并收听，记下回答' }),
  router: node('router', {}, nextBy('下一节点的 id，或按分支键给出：nlu.branches 的 key，都不符合时走 default')).meta({
    id: 'RouterNode',
    description: '按客户最近一句话，由 NLU 在 next 给出的分支中选择',
  }),
  chat: node(
    'chat',
    {
      ...spoken,
      answers: z
        .array(z.looseObject({ desc: z.string().meta({ description: '什么样的问题' }), text: z.string().meta({ description: '回答' }) }))
        .max(60)
        .optional()
        .meta({ description: '预备的回答，由 NLU 选择；都不符合时说 text 或 phrase' })
        .register(FORMS, { kind: 'answers' }),
      maxTurns: bounded(1, 20, 3, '最多回答几次'),
      listenMs: bounded(1_000, 60_000, 5_000, '等待客户开口的毫秒数'),
    },
    next,
  ).meta({ id: 'ChatNode', description: '回答客户的提问，直到没有问题' }),
  end: node('end', spoken, last).meta({ id: 'EndNode', description: '道别并挂断；next 不起作用' }),
  transfer: node(
    'transfer',
    {
      ...spoken,
      busyText: z.string().optional().meta({ description: '没有空闲坐席时说的话' }).register(FORMS, { kind: 'text' }),
      groupId: z.int().optional().meta({ description: '坐席组；缺省或 0 为任意坐席' }).register(FORMS, { kind: 'group' }),
      reason: z.string().optional().meta({ description: '转接原因；缺省为节点名称' }).register(FORMS, { kind: 'text' }),
    },
    last,
  ).meta({ id: 'TransferNode', description: '转人工；坐席与客户谈过后通话结束' }),
} as const satisfies Record<(typeof SCRIPT_NODE_TYPES)[number], z.ZodType>;

type NodeType = (typeof SCRIPT_NODE_TYPES)[number];

/** Branches by which a call may leave a node: only the default one, also that of silence, also those of the script, or none. */
export const NODE_BRANCHES = {
  start: 'default',
  send: 'default',
  collect: 'silence',
  router: 'nlu',
  chat: 'default',
  end: 'none',
  transfer: 'none',
} as const satisfies Record<NodeType, 'none' | 'default' | 'silence' | 'nlu'>;

/** A member of `config` as a form shows it. */
export interface NodeField extends FieldForm {
  name: string;
  /** Chinese. */
  description: string;
}

/** A node type as an editor of scripts needs it. */
export interface NodeTypeForm {
  type: NodeType;
  /** Chinese. */
  description: string;
  branches: (typeof NODE_BRANCHES)[NodeType];
  fields: readonly NodeField[];
}

/** Every node type with the form of its configuration, made from the schemas. */
export const NODE_TYPE_FORMS: readonly NodeTypeForm[] = SCRIPT_NODE_TYPES.map(type => {
  const schema = SCRIPT_NODES[type];
  const members: [string, z.ZodType][] = Object.entries(schema.shape.config.shape);
  return { type, description: schema.description ?? '', branches: NODE_BRANCHES[type], fields: members.flatMap(fieldOf) };
});

function fieldOf([name, schema]: readonly [string, z.ZodType]): NodeField[] {
  const form = FORMS.get(schema);
  return form === undefined ? [] : [{ name, description: schema.description ?? '', ...form }];
}

const { start, send, collect, router, chat, end, transfer } = SCRIPT_NODES;

export const scriptNode = z
  .discriminatedUnion('type', [start, send, collect, router, chat, end, transfer])
  .meta({ description: '话术节点；config 中未列出的成员不起作用' });

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const word = z.string().min(1);

/** Source: D11 "resultRules[]" */
export const scriptCondition = z
  .strictObject({
    node: word.optional().meta({ description: '通话经过此节点' }),
    branch: word.optional().meta({ description: '由此分支离开某个节点；与 node 同用则为该节点' }),
    variable: word.optional().meta({ description: '变量名；以下六项针对其值，一项也没有则为有值（exists）' }),
    equals: scalar.optional(),
    in: z.array(scalar).max(MAX_CONDITION_ITEMS).optional(),
    contains: word.optional().meta({ description: '值为文本且包含' }),
    atLeast: z.number().optional(),
    atMost: z.number().optional(),
    exists: z.boolean().optional().meta({ description: '有值：不是 null，也不是空文本' }),
    callStatus: z
      .union([word, z.array(word).max(MAX_CONDITION_ITEMS)])
      .optional()
      .meta({ description: '通话结果中的 callStatus，一个或多个' }),
    get all(): z.ZodOptional<z.ZodArray<z.ZodType>> {
      return z.array(scriptCondition).min(1).max(MAX_CONDITION_ITEMS).optional();
    },
    get any(): z.ZodOptional<z.ZodArray<z.ZodType>> {
      return z.array(scriptCondition).min(1).max(MAX_CONDITION_ITEMS).optional();
    },
    get not(): z.ZodOptional<z.ZodType> {
      return scriptCondition.optional();
    },
  })
  .meta({ id: 'ScriptCondition', description: '同一对象中的各项须同时成立；空对象总成立。嵌套不超过 8 层。按顺序取第一条成立的规则' });
