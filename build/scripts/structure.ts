import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { docTables, tableProblems } from './doc-tables.ts'
import { readDocument } from './help/read-document.ts'
import { inRoot, root } from './project.ts'
import { linkProblems, readmeProblems } from './rules/doc-rules.ts'
import { floatProblems } from './rules/float-arithmetic.ts'
import { fileProblems } from './rules/folder-rules.ts'

import { conditionProblems } from './sentence-conditions.ts'

import { sentenceProblems } from './sentences.ts'

const topLevel = new Set([
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'electron.vite.config.ts',
  'electron',
  'renderer',
  'shared',
  'e2e',
  'build',
  'README.md',
  'LICENSE',
])

export const tracked = (): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file && existsSync(inRoot(file)))

/** Compares the rule ids in test titles with the table in e2e/rules.md. Every id must occur in both. */
function rules(files: readonly string[]): string[] {
  const table = new Set([...readFileSync(inRoot('e2e/rules.md'), 'utf8').matchAll(/^\| ([A-Z]+-\d\d) +\|/gm)].map((match) => match[1]))
  const found: string[] = []
  for (const file of files.filter((name) => /\.(test|spec)\.tsx?$/.test(name))) {
    for (const title of readFileSync(inRoot(file), 'utf8').matchAll(/\b(?:test|it)\(\s*(['"`])(.*?)\1/g)) {
      const ids = [...(title[2] ?? '').matchAll(/[A-Z]{3,4}-\d\d/g)].map((match) => match[0])
      for (const id of ids) if (!table.has(id)) found.push(`${file}: no such rule ${id}`)
      if (ids.length > 3) found.push(`${file}: more than three rules in one test`)
    }
  }
  return found
}

/** Checks the README’s length, broken links in the README and build/docs, and content of build/docs that Help cannot show. */
function documents(files: readonly string[]): readonly string[] {
  const pages = new Map(files.filter((file) => /^(README|build\/docs\/.+)\.md$/.test(file)).map((file) => [file, readFileSync(inRoot(file), 'utf8')]))
  return [
    ...readmeProblems(pages.get('README.md') ?? ''),
    ...linkProblems(pages, (path) => existsSync(inRoot(path))),
    ...[...pages].flatMap(([file, markdown]) => (file === 'README.md' ? [] : readDocument(file, markdown).problems)),
  ]
}

/**
 * Returns null if the top-level folders are the expected ones, tests name only existing rules, and the documents are in order. Otherwise returns the
 * problems.
 */
export async function checkStructure(): Promise<string | null> {
  const files = tracked()
  const strangers = [...new Set(files.map((file) => file.split('/')[0] ?? ''))].filter((name) => !name.startsWith('.') && !topLevel.has(name))
  const problems = [
    ...strangers.map((name) => `not a part of the top level: ${name}`),
    ...rules(files),
    ...floatProblems(files),
    ...conditionProblems(files),
    ...fileProblems(files),
    ...sentenceProblems(files),
    ...documents(files),
    ...tableProblems(docTables()),
  ]
  return problems.length === 0 ? null : problems.join('\n')
}
