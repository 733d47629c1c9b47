import type { Language } from '#kernel/problem.ts';
import { attemptFilterOf, contactQueryOf } from '#graph/inputs.ts';
import { rowIdOf } from '#platform/graphql/row-id.ts';
import { invalidArgument } from '#kernel/errors.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

/** Files are downloaded over HTTP: these fields return the address, with REST's parameters. */
export const exportResolvers: Resolvers = {
  Query: {
    callsExport: (_root, { filter, direction }, { language }) => ({
      url: urlOf('api/exports/calls', { ...attemptFilterOf(filter), order: direction, language: spoken(language) }),
    }),
    contactsExport: (_root, { campaignId: id, direction, search, filter }, { language }) => {
      const notDialedReason = filter?.notDialedReason;
      if (notDialedReason && !id) throw invalidArgument('filter.notDialedReason', 'onlyTogether', { other: 'campaignId' });
      const {
        q,
        status,
        filter: { waiting: _asReason, ...narrowing },
      } = contactQueryOf({ search, filter });
      const campaignId = id ? rowIdOf('campaignId', id) : undefined;
      return {
        url: urlOf('api/exports/contacts', {
          ...narrowing,
          campaignId,
          q,
          status,
          notDialedReason,
          order: direction,
          language: spoken(language),
        }),
      };
    },
  },
};

type Value = string | number | boolean | null | undefined;

/** Filters that are UTC ms here, and texts in REST. */
const INSTANTS = ['from', 'to'];

function urlOf(path: string, members: Readonly<Record<string, Value>>): string {
  const given = Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, textOf(name, value)])).toString()}`;
}

function textOf(name: string, value: Value): string {
  if (INSTANTS.includes(name)) return new Date(Number(value)).toISOString();
  return typeof value === 'boolean' ? String(Number(value)) : String(value);
}

/** Omits Chinese, the default language of a file. */
function spoken(language: Language): Language | undefined {
  return language === 'zh' ? undefined : language;
}
