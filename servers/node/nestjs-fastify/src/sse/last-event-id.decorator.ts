import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** The header Last-Event-ID, as text; 0 where there is none. */
export const LastEventId = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest().headers['last-event-id'] ?? '0';
});
