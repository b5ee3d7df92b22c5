import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { languages } from '../../shared/text/catalogue.ts'
import { docTables, tableProblems } from './doc-tables.ts'
import { folder, readDocument } from './help/read-document.ts'
import { languageOf, readTranslation } from './help/read-translation.ts'
import { inRoot, root } from './project.ts'
import { linkProblems, readmeProblems } from './rules/doc-rules.ts'
import { floatProblems } from './rules/float-arithmetic.ts'
import { fileProblems } from './rules/folder-rules.ts'
import { labelProblems, textsOf, translatedLabelProblems } from './rules/label-rules.ts'

import { conditionProblems } from './rules/sentence-conditions.ts'

import { sentenceProblems } from './rules/sentences.ts'

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

/** Compares the rule ids in test titles with the ids in e2e/rules.md. Reports each id that occurs in only one of the two places. */
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

const textFile = /^(?:renderer|shared)\/text\/(?!.*\.test\.)(?:.*\/)?([^/.]+)(?:\.en)?\.tsx?$/

/** The files with the interface’s texts in one language. English has one file for each area; other languages have one file in each `text` folder. */
const textsIn = (files: readonly string[], language: string) =>
  textsOf(
    files
      .filter((file) => {
        const name = textFile.exec(file)?.[1]
        return name !== undefined && (languageOf(name) ?? 'en') === language
      })
      .map((file) => readFileSync(inRoot(file), 'utf8')),
  )

/**
 * Checks the README’s length, the links and interface labels in the README and build/docs, and whether Help can show build/docs. Also reports
 * translated chapters that are outdated or have another structure than the English ones.
 */
function documents(files: readonly string[]): readonly string[] {
  const read = (pattern: RegExp) => new Map(files.filter((file) => pattern.test(file)).map((file) => [file, readFileSync(inRoot(file), 'utf8')]))
  const pages = read(/^(README|build\/docs\/[^/]+)\.md$/)
  const english = textsIn(files, 'en')
  const own = new Map(languages.map((language) => [language, textsIn(files, language)]))
  return [
    ...readmeProblems(pages.get('README.md') ?? ''),
    ...linkProblems(pages, (path) => existsSync(inRoot(path))),
    ...[...pages].flatMap(([file, markdown]) => {
      const { document, problems } = readDocument(file, markdown)
      return [...(file === 'README.md' ? [] : problems), ...labelProblems(file, document, english)]
    }),
    ...[...read(/^build\/docs\/[^/]+\/[^/]+\.md$/)].flatMap(([file, markdown]) => {
      const language = languageOf(basename(dirname(file)))
      const of = `${folder}/${basename(file)}`
      const original = pages.get(of)
      if (language === null || original === undefined) return [`${file}: is no chapter in another language`]
      const { document, problems, changed } = readTranslation(file, markdown, original)
      const texts = { english, own: own.get(language) ?? new Map() }
      return [...problems, ...changed, ...(changed.length > 0 ? [] : translatedLabelProblems(file, document, readDocument(of, original).document, texts))]
    }),
  ]
}

/**
 * Checks three things: the top-level folders are the expected ones, tests name only existing rules, and the documentation has no problems. Returns
 * the problems, or null if there are none.
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
