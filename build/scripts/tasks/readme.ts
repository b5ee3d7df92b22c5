import { writeFileSync } from 'node:fs'
import { docTables } from '../doc-tables.ts'
import { inRoot } from '../project.ts'

for (const { file, wanted } of docTables()) writeFileSync(inRoot(file), wanted)
