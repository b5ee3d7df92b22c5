import { inRoot, run } from '../project.ts'

process.exit((await run(process.execPath, ['--disable-warning=ExperimentalWarning', inRoot('electron/practice/sandbox.ts'), ...process.argv.slice(2)])).code)
