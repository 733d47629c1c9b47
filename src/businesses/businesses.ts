import { z } from 'zod';
import { business } from './business.ts';
import { route } from '#platform/http/route.ts';

export const listBusinessesRoute = route('GET /api/businesses', 'session', '启用的业务', { data: z.object({ rows: z.array(business) }) });
