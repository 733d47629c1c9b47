import { z } from 'zod';
import { DOCUMENTED_AS } from './schema-parts.ts';

/** Largest JSON, in bytes: it travels with every `start`. */
const MAX_MEDIA_BYTES = 4 * 1024;

const host = z.string().min(1).max(253);

const forms = {
  esl: z
    .looseObject({ kind: z.literal('esl'), host, port: z.int().min(1).max(65_535) })
    .meta({ id: 'EslMedia', description: '运行时经 Event Socket 在交换机上控制通道，通道 uuid 即 requestId；口令不在此给出' }),
  sip: z
    .looseObject({ kind: z.literal('sip'), uri: z.string().regex(/^sips?:\S{1,500}$/) })
    .meta({ id: 'SipMedia', description: '交换机把客户接到此 SIP 地址，或运行时由此呼入' }),
  websocket: z
    .looseObject({ kind: z.literal('websocket'), url: z.string().regex(/^wss?:\/\/\S{1,500}$/) })
    .meta({ id: 'WebsocketMedia', description: '双向音频流的 WebSocket 地址' }),
};

const anything = z.record(z.string(), z.json());

/**
 * How a runtime reaches the customers of a cell: the operator's `cells[].media`, passed on unchanged in `start`.
 *
 * Why: switch and runtime agree between themselves how media is handed over; the documented forms are suggestions, any other object passes
 */
export const cellMedia = anything.meta({ [DOCUMENTED_AS]: 'CellMedia' });

export type CellMedia = z.output<typeof cellMedia>;

/** Schema that documents `cellMedia`. */
export const cellMediaForms = z.union([forms.esl, forms.sip, forms.websocket, anything]).meta({
  description:
    '运行时如何与客户通话：所在节点的配置 cells[].media 原样给出，至多 4 KiB；kind 为 esl、sip、websocket 时须符合所列形式，其余由双方自行约定',
});

/** Whether a configuration is valid: small enough, and in the documented form if its `kind` is a documented one. */
export function isFitMedia(media: CellMedia): boolean {
  const form = Object.entries(forms).find(([kind]) => kind === media['kind'])?.[1];
  return Buffer.byteLength(JSON.stringify(media)) <= MAX_MEDIA_BYTES && (form === undefined || form.safeParse(media).success);
}
