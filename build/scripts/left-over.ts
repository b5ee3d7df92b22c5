import { stripVTControlCharacters } from 'node:util'
import type { ErrorReport } from './error-report.ts'

/** The failed and skipped tests of a run. The test command lists them again at its end, because the start of a long log may be cut off. */
export interface LeftOver {
  readonly failed: readonly string[]
  /** Skipped tests, each with its reason if the runner reports one. */
  readonly skipped: readonly string[]
}

interface Suite {
  readonly suites?: readonly Suite[]
  readonly specs?: readonly {
    readonly title: string
    readonly tests: readonly PlaywrightTest[]
  }[]
}

interface PlaywrightTest {
  readonly status: string
  readonly annotations: readonly { readonly type: string; readonly description?: string }[]
  readonly results?: readonly { readonly error?: { readonly message?: string } }[]
}

/** Reads the failed and skipped tests from the report of Playwright’s JSON reporter. */
export function leftOverOfPlaywright(report: unknown): LeftOver {
  const tests = ofSuite(report as Suite) // safe cast: Playwright’s JSON report has this shape
  return {
    failed: tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ title, results }) => {
        const message = results?.find(({ error }) => error?.message !== undefined)?.error?.message
        return message === undefined ? title : told(title, stripVTControlCharacters(message), mostDifferent)
      }),
    skipped: tests
      .filter(({ status }) => status === 'skipped')
      .map(({ title, annotations }) => `${title}: ${annotations.find(({ type }) => type === 'skip' || type === 'fixme')?.description ?? 'without a reason'}`),
  }
}

const ofSuite = ({ suites = [], specs = [] }: Suite): (PlaywrightTest & { readonly title: string })[] => [
  ...specs.flatMap(({ title, tests }) => tests.map((test) => ({ title, ...test }))),
  ...suites.flatMap(ofSuite),
]

interface VitestReport {
  readonly testResults?: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly { readonly title: string; readonly status: string; readonly failureMessages?: readonly string[] | null }[]
  }[]
}

/**
 * Reads the failed and skipped tests from the report of vitest’s JSON reporter. The report lists no tests of a file that failed to load, so the file
 * itself is listed as failed.
 */
export function leftOverOfVitest(report: unknown, differences: ErrorReport['differences'] = {}): LeftOver {
  const { testResults = [] } = report as VitestReport // safe cast: vitest’s JSON report has this shape
  const tests = testResults.flatMap(({ name, assertionResults }) => assertionResults.map((test) => ({ file: name, ...test })))
  return {
    failed: [
      ...testResults
        .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
        .map(({ name, message }) => told(name, message)),
      ...tests
        .filter(({ status }) => status === 'failed')
        .map(({ file, title, failureMessages }) => {
          const name = `${file} > ${title}`
          const difference = differences[name]
          return difference === undefined ? told(name, failureMessages?.[0]) : told(name, difference, mostDifferent)
        }),
    ],
    skipped: tests.filter(({ status }) => status !== 'failed' && status !== 'passed').map(({ file, title }) => `${file} > ${title}`),
  }
}

export const leftOverOutside = ({ outside }: ErrorReport): readonly string[] => outside.map((error) => told('outside of all tests', error))

const longest = 400
const mostLines = 4
/** A difference begins with its legend. */
const mostDifferent = 24
const told = (name: string, message = '', lines = mostLines): string =>
  `${name}: ${message
    .slice(0, (longest * lines) / mostLines)
    .split('\n')
    .slice(0, lines)
    .join(' ')
    .replace(/ {2,}/g, ' ')}`
