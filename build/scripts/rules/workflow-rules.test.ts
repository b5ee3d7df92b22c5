import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inRoot } from '../project.ts'
import { workflowProblems } from './workflow-rules.ts'

const workflow = (steps: string, job = ''): string => `on: push\njobs:\n  one:\n    runs-on: ubuntu-24.04\n${job}    steps:\n${steps}`
const problemsOf = (text: string): Promise<string[]> => workflowProblems(['planted.yml'], () => text)

test('the workflow check accepts the project’s own GitHub workflows', async () => {
  expect(await workflowProblems()).toEqual([])
})

test('the workflow check accepts a correct GitHub workflow', async () => {
  expect(await problemsOf(workflow('      - run: npm test\n'))).toEqual([])
})

test.each([
  ['an unknown context', workflow(`      - run: echo \${{ matrx.os }}\n`), /undefined variable "matrx"/],
  ['a job that waits for one that is missing', workflow('      - run: npm test\n', '    needs: two\n'), /needs job "two"/],
  ['a step without an action or command', workflow('      - name: nothing\n'), /step must run script with "run" section or run action/],
  ['a misspelt key', workflow('      - run: npm test\n        iff: true\n'), /unexpected key "iff"/],
])('the workflow check finds this problem in a GitHub workflow: %s', async (_, text, problem) => {
  expect((await problemsOf(text)).join('\n')).toMatch(problem)
})

test.each([
  ['ci.yml', 'needs: electron', 'needs: electon', /needs job "electon"/],
  ['ci.yml', "runner.os == 'Linux' && ", "runer.os == 'Linux' && ", /undefined variable "runer"/],
  ['release.yml', 'timeout-minutes: 90', 'timeout-minute: 90', /unexpected key "timeout-minute"/],
  ['release.yml', '{ matrix.os }', '{ matrix.system }', /property "system" is not defined/],
  ['release.yml', "env.CSC_LINK != ''", 'env.CSC_LINK != "', /unexpected character|got unexpected/],
])('the workflow check finds a mistake planted in the GitHub workflow %s: %s', async (file, right, wrong, problem) => {
  const text = readFileSync(inRoot('.github/workflows', file), 'utf8')
  expect(text).toContain(right)
  expect((await workflowProblems([file], () => text.replace(right, wrong))).join('\n')).toMatch(problem)
})
