import { writeDocTables } from '../doc-tables.ts'

writeDocTables()
