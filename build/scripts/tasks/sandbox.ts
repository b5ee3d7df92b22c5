import { inRoot, run } from '../project.ts'

process.exit((await run(process.execPath, ['--disable-warning=ExperimentalWarning', inRoot('electron/practice/main.ts'), ...process.argv.slice(2)])).code)
