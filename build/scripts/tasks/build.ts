import { ensureBuilt } from '../app-build.ts'

await ensureBuilt('product')
if (process.argv.includes('--hooks')) await ensureBuilt('hooks')
