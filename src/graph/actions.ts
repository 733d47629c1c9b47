import type { GraphQLSchema } from 'graphql';
import type { CalloutError } from '#kernel/errors.ts';
import type { Permission } from '#kernel/caller.ts';
import { englishOf, type Language } from '#platform/graphql/language.ts';
import type { RefusalReason } from './schema-types.generated.ts';

/** Presents actions, each refused one with the reason. */
export function presentActions<Name extends string>(
  actions: readonly { name: Name; needs: Permission; refusal: CalloutError | null }[],
  { schema, language }: { schema: GraphQLSchema; language: Language },
): { name: Name; allowed: boolean; needs: Permission; reason: RefusalReason | null; message: string | null }[] {
  return actions.map(({ name, needs, refusal }) => ({
    name,
    allowed: refusal === null,
    needs,
    // Without a more specific reason, the code itself is the reason.
    reason: refusal && ((refusal.reason ?? refusal.code) as RefusalReason),
    message: refusal && (language === 'en' ? englishOf(schema, refusal) : refusal.message),
  }));
}
