import { enableCompileCache } from 'node:module';

enableCompileCache();
const [{ runProcess }, { COMMANDS }] = await Promise.all([import('#compose/run-command.ts'), import('./tool-table.ts')]);
await runProcess(COMMANDS);
