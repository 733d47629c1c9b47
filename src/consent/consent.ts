import { z } from 'zod';
import { MAX_PURPOSE_LENGTH } from '#policies/decisions/person-kinds.ts';
import { bigRowId, instant, instantText, requiredText, rowId, stamps } from '#kernel/fields.ts';

export const CONSENT_KINDS = ['given', 'revoked'] as const;
export type ConsentKind = (typeof CONSENT_KINDS)[number];

/** How an entry came into the ledger: by a call's result, a user or program, a file, or the erasure of the person. */
export const CONSENT_ORIGINS = ['call', 'console', 'import', 'erasure'] as const;

const MAX_NUMBER_LENGTH = 64;
const MAX_SOURCE_LENGTH = 200;
const MAX_WORDING_LENGTH = 4_000;
const MAX_EVIDENCE_LENGTH = 500;

/** An entry of the ledger of consents, which is never changed. Source: D8.10 */
export const consent = z
  .object({
    id: bigRowId,
    phoneNumber: z.string(),
    kind: z.enum(CONSENT_KINDS).meta({ description: 'given 同意，revoked 撤回' }),
    purpose: z.string().meta({ description: '同意的用途；撤回时为空：撤回全部用途' }),
    source: z.string().meta({ description: '从何得来：表单、合同、通话等' }),
    wording: z.string().meta({ description: '征得同意时的原话' }),
    at: instant.meta({ description: '同意或撤回的时间' }),
    until: instant.nullable().meta({ description: '同意的有效期；空：直到撤回' }),
    evidence: z.string().meta({ description: '凭证的编号或地址' }),
    origin: z.enum(CONSENT_ORIGINS),
    createdBy: rowId.nullable(),
    ...stamps,
  })
  .meta({ id: 'Consent' });

export type Consent = z.output<typeof consent>;

/** Texts of an entry that a file or a form may leave out. */
const texts = {
  purpose: z.string().trim().max(MAX_PURPOSE_LENGTH).optional().default(''),
  wording: z.string().trim().max(MAX_WORDING_LENGTH).optional().default(''),
  evidence: z.string().trim().max(MAX_EVIDENCE_LENGTH).optional().default(''),
};

/** An entry as a user or a program writes it. */
export const newConsent = z.object({
  phoneNumber: requiredText(MAX_NUMBER_LENGTH),
  kind: z.enum(CONSENT_KINDS).optional().default('given'),
  source: requiredText(MAX_SOURCE_LENGTH),
  ...texts,
  at: z
    .union([z.literal(''), instantText])
    .nullish()
    .meta({ description: '空：现在' }),
  until: z
    .union([z.literal(''), instantText])
    .nullish()
    .meta({ description: '空：直到撤回' }),
});

/** An entry with parsed instants, UTC ms; `at` null: now. */
export interface ConsentEntry extends Omit<z.output<typeof newConsent>, 'at' | 'until'> {
  at: number | null;
  until: number | null;
}
