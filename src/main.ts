import { enableCompileCache } from 'node:module';

enableCompileCache();
const { ROLES, runProcess } = await import('./serve/run-command.ts');
await runProcess(ROLES);
