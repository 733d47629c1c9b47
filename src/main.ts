import { enableCompileCache } from 'node:module';

enableCompileCache();
const { ROLES, runProcess } = await import('./compose/run-command.ts');
await runProcess(ROLES);
