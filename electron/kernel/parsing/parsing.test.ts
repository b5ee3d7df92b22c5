import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { forkParsing } from '../../../e2e/support/parsing/fork-parsing.ts'
import { rogueJob, unknownJob } from '../../../e2e/support/parsing/rogue-jobs.ts'
import { createParsing, type ParsingChild } from './parsing.ts'

const children: ReturnType<typeof forkParsing>[] = []
const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
const fork = (): ParsingChild => {
  const child = forkParsing(join(import.meta.dirname, '../../../e2e/support/parsing/rogue-thread.ts'))
  children.push(child)
  return child
}
const parsing = createParsing({ fork })
/** Waits long enough for a process that starts slowly, as under wine on a busy computer. */
const patientJob = { ...rogueJob, quietMs: 30_000 }

// After each test, all processes must have ended, whether their jobs succeeded or failed.
afterEach(async () => {
  for (const { pid = 0 } of children.splice(0)) await expect.poll(() => isRunning(pid), { timeout: 5_000 }).toBe(false)
})

test('the app parses data from outside in a separate process, which ends after the job and does not see the app’s environment variables', async () => {
  const news: number[] = []
  expect(await parsing.run(patientJob, 'answer', { onNews: (one) => news.push(one) })).toEqual({ ok: true, value: 'answered' })
  expect(news).toEqual([1])
  process.env.SVC_API_KEY = 'SVC_not_for_a_parser_1'
  try {
    expect(await parsing.run(patientJob, 'env')).toEqual({ ok: true, value: '' })
  } finally {
    delete process.env.SVC_API_KEY
  }
  expect(new Set(children.map(({ pid }) => pid)).size).toBe(2)
})

test.each([
  ['loops for ever', 'loop', 'too_slow'],
  ['fills its heap', 'heap', 'too_much_memory'],
  ['fills memory outside its heap', 'buffers', 'too_much_memory'],
  ['throws', 'throw', 'broken'],
  ['ends without an answer', 'exit', 'broken'],
  ['answers in another shape', 'shape', 'broken'],
  ['reports in another shape', 'news', 'broken'],
] as const)(
  'the parsing process fails a job that %s, while the main process stays responsive [V4]',
  async (_what, given, issue) => {
    const before = process.threadCpuUsage()
    const job = issue === 'too_slow' ? rogueJob : patientJob
    expect(await parsing.run(job, given)).toEqual({ ok: false, failure: { kind: 'parsing', issue } })
    const { user, system } = process.threadCpuUsage(before)
    // The hostile input keeps its parser busy for seconds. Less processor time of this thread proves that the parser runs in another process.
    expect((user + system) / 1_000).toBeLessThan(700)
  },
  60_000,
)

test('a parsing process that reports progress may run longer than the time limit for one that reports nothing', async () => {
  const news: number[] = []
  expect(await parsing.run(rogueJob, 'prompt', { onNews: (one) => news.push(one) })).toEqual({ ok: true, value: 'answered' })
  expect(news).toEqual([0, 1, 2, 3, 4, 5])
})

test('parsing fails if the app has no code for the job or if the parsing process cannot start', async () => {
  expect(await parsing.run(unknownJob, null)).toEqual({ ok: false, failure: { kind: 'parsing', issue: 'broken' } })
  const none = createParsing({
    fork: () => {
      throw new Error('no process left')
    },
  })
  expect(await none.run(unknownJob, null)).toEqual({ ok: false, failure: { kind: 'parsing', issue: 'broken' } })
})

test('cancelling a parsing job stops its process, or keeps a waiting job from starting', async () => {
  const stopper = new AbortController()
  const running = parsing.run(rogueJob, 'loop', { signal: stopper.signal })
  await expect.poll(() => children.length).toBe(1)
  stopper.abort()
  expect(await running).toEqual({ ok: false, failure: { kind: 'parsing', issue: 'stopped' } })
  expect(await parsing.run(rogueJob, 'answer', { signal: stopper.signal })).toEqual({ ok: false, failure: { kind: 'parsing', issue: 'stopped' } })
  expect(children).toHaveLength(1)
})

test('the app runs at most three parsing processes at once, and makes further parsing jobs wait', async () => {
  let [now, most] = [0, 0]
  const counting = createParsing({
    fork: () => {
      most = Math.max(most, ++now)
      const child = fork()
      return {
        ...child,
        kill: () => {
          now -= 1
          child.kill()
        },
      }
    },
  })
  const answers = await Promise.all(Array.from({ length: 7 }, () => counting.run(patientJob, 'answer')))
  expect(answers.filter(({ ok }) => ok)).toHaveLength(7)
  expect([now, most]).toEqual([0, 3])
})
