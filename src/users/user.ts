import { z } from 'zod';
import { newAgent } from '#agents/agent.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#kernel/password-rule.ts';
import { ROLE_KEYS } from '#kernel/caller.ts';
import { MAX_USERNAME_LENGTH } from '#kernel/user-name.ts';
import { flag, requiredText, rowId, stamps } from '#kernel/fields.ts';

const MAX_DISPLAY_NAME_LENGTH = 128;

/** A console user, visible to administrators only; the password is never included. */
export const user = z
  .object({
    id: rowId,
    username: z.string(),
    displayName: z.string(),
    role: z.enum(ROLE_KEYS),
    isEnabled: flag,
    ...stamps,
  })
  .meta({ id: 'User' });

export type User = z.output<typeof user>;

/** Not trimmed: blanks are part of a password. */
const password = z.string().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH);
const displayName = z.string().trim().max(MAX_DISPLAY_NAME_LENGTH);

export const newUser = z.object({
  username: requiredText(MAX_USERNAME_LENGTH),
  /** Defaults to the user name when absent or empty. */
  displayName: displayName.optional(),
  role: z.enum(ROLE_KEYS),
  password,
  /** Defaults to true. */
  isEnabled: flag.optional(),
});
export const userChanges = z.object({ displayName, role: z.enum(ROLE_KEYS), isEnabled: flag, password }).partial();

/** A user with the agent that is theirs: a new one, named as the user unless it has a name, or one that has no user yet. */
export const newUserWithAgent = newUser.extend({
  agent: newAgent.omit({ userId: true }).partial({ name: true }).nullish().meta({ description: '新建坐席；缺省名称为用户的显示名' }),
  agentId: rowId.nullish().meta({ description: '绑定尚无用户的坐席；与 agent 必须且只能给出一个' }),
});

export type UserInput = z.output<typeof newUser>;
export type UserWithAgentInput = z.output<typeof newUserWithAgent>;
export type UserChanges = z.output<typeof userChanges>;
