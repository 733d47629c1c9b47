import { z } from 'zod';
import { bigRowId, instant, rowId, stamps } from '#kernel/fields.ts';

/** `queued` and `running` are open; a job that is `done`, `failed` or `cancelled` never changes again. */
export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;

export type JobState = (typeof JOB_STATES)[number];

export const MAX_KIND_LENGTH = 40;
const MAX_TITLE_LENGTH = 200;

/** Why a job failed: an error of the catalogue, with the faults of an input where it had any. */
const jobError = z
  .object({
    code: z.string().meta({ description: '错误代号' }),
    reason: z.string().nullable(),
    message: z.string().meta({ description: '中文说明' }),
    faults: z.array(z.object({ field: z.string(), problem: z.json() })).meta({ description: '输入有误时各处的代号与参数' }),
  })
  .meta({ id: 'JobError' });

export type JobError = z.output<typeof jobError>;

/** Long work that outlives a request: any server goes on with it, step by step. */
export const job = z
  .object({
    id: bigRowId,
    kind: z.string().meta({ description: '种类，例如 export、import' }),
    title: z.string(),
    about: z.json().meta({ description: '任务的内容，按种类而定，供页面以自己的语言显示；没有为 null' }),
    state: z.enum(JOB_STATES),
    done: z.int().meta({ description: '已完成的单位数，通常为行' }),
    total: z.int().nullable().meta({ description: '总单位数；尚不知道时为 null' }),
    result: z.json().meta({ description: '完成后的结果，按种类而定；此前为 null' }),
    error: jobError.nullable().meta({ description: '仅 failed 时有' }),
    ownerId: rowId.nullable(),
    ownerName: z.string(),
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    ...stamps,
  })
  .meta({ id: 'Job' });

export type Job = z.output<typeof job>;

export function isOpenJob({ state }: Pick<Job, 'state'>): boolean {
  return state === 'queued' || state === 'running';
}

/** Cuts a title that names what people have written, such as a file, to the length of the column. */
export function jobTitle(text: string): string {
  return text.length <= MAX_TITLE_LENGTH ? text : `${text.slice(0, MAX_TITLE_LENGTH - 1).toWellFormed()}…`;
}
