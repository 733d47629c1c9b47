import { z } from 'zod';
import type { App } from '#app/app.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idText4, integerText, route } from '#platform/http/route.ts';
import { agentBoard, MAX_BOARD_ROWS } from './agent-board.ts';
import { readAgentBoard } from './read-board.ts';

export const agentBoardRoute = route(
  'GET /api/agent-board',
  'campaign:dispatch',
  '主管看板：坐席与监听者的状态、通话、当日数据，各组负荷与人手',
  {
    query: z.object({
      groupId: idText4.optional(),
      page: integerText({ min: 1 }).optional().default(1),
      pageSize: integerText({ min: 1, max: MAX_BOARD_ROWS }).optional().default(MAX_BOARD_ROWS),
    }),
    data: agentBoard,
  },
);

/** Source: D12.11 */
export function agentBoardHandlers(app: App): RestHandler[] {
  return [handler(agentBoardRoute, ({ query }) => readAgentBoard(app, query))];
}
