import { writeFileSync } from 'node:fs'
import { inRoot } from '../project.ts'
import { currentReadme } from '../readme.ts'

writeFileSync(inRoot('README.md'), currentReadme().wanted)
