import type { GraphQLSchema } from 'graphql';
import type { CalloutError } from '#kernel/errors.ts';
import type { Permission } from '#rules/permissions.ts';
import { englishOf, type Language } from './language.ts';
import type { RefusalReason } from './schema-types.generated.ts';

/** What may be done, and what stands in the way of the rest, as clients read it. */
export function presentActions<Name extends string>(
  actions: readonly { name: Name; needs: Permission; refusal: CalloutError | null }[],
  { schema, language }: { schema: GraphQLSchema; language: Language },
): { name: Name; allowed: boolean; needs: Permission; reason: RefusalReason | null; message: string | null }[] {
  return actions.map(({ name, needs, refusal }) => ({
    name,
    allowed: refusal === null,
    needs,
    // A code is its own cause where none is told apart.
    reason: refusal && ((refusal.reason ?? refusal.code) as RefusalReason),
    message: refusal && (language === 'en' ? englishOf(schema, refusal) : refusal.message),
  }));
}
