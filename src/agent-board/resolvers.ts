import { given, optionalRowId } from '#platform/graphql/row-id.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import { parseInput } from '#platform/http/parse.ts';
import { boardPage } from './agent-board.ts';
import { readAgentBoard } from './read-board.ts';

export const agentBoardResolvers: Resolvers = {
  Query: {
    agentBoard: (_root, { groupId, ...page }, { app }) =>
      readAgentBoard(app, { ...parseInput(boardPage, given(page), '参数'), groupId: optionalRowId('groupId', groupId) ?? undefined }),
  },
};
