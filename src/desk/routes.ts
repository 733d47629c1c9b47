import { z } from 'zod';
import type { App } from '#app/app.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, idText8, route } from '#platform/http/route.ts';
import { agentMessage, newAgentMessage } from './desk.ts';
import { markMessageRead, sendAgentMessage } from './messages.ts';

const oneMessage = z.object({ message: agentMessage });

export const sendAgentMessageRoute = route('POST /api/agents/:id/message', 'campaign:dispatch', '给坐席发一条消息，立即显示在其工作台上', {
  params: idParam,
  body: newAgentMessage,
  data: oneMessage,
});

export const markMessageReadRoute = route('POST /api/agents/me/messages/:messageId/read', 'agent:operate', '把发给本人的消息标为已读', {
  params: z.object({ messageId: idText8 }),
  data: oneMessage,
});

/** Source: D12.11 */
export function deskHandlers(app: App): RestHandler[] {
  return [
    handler(sendAgentMessageRoute, async ({ params, body, caller }) => ({ message: await sendAgentMessage(app, caller, params.id, body) })),
    handler(markMessageReadRoute, async ({ params, caller }) => ({ message: await markMessageRead(app, caller, params.messageId) })),
  ];
}
