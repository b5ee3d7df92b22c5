import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { minute, second } from '../../../shared/time.ts'
import { createEndOnError, type EndOnErrorParts } from './end-on-error.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const error = new Error('planted')
const never = () => new Promise(() => undefined)
const fewSeconds = 5 * second

function run({ ranMs = 2 * minute, ...parts }: Partial<EndOnErrorParts> & { readonly ranMs?: number } = {}) {
  const happened: string[] = []
  let references = 0
  let now = 0
  const ending = createEndOnError({
    log: { error: (reference, what, logged) => happened.push(`log ${reference} ${what}: ${String(logged)}`) },
    newReference: () => `e-${++references}`,
    clock: { monotonic: () => now },
    restarted: false,
    startAgain: (reference) => happened.push(`start again ${reference}`),
    say: (reference, said) => happened.push(`say ${reference}: ${String(said)}`),
    exit: () => happened.push('exit'),
    kill: () => happened.push('kill'),
    ...parts,
  })
  now = ranMs
  return { ending, happened }
}

test('after an uncaught error, the app logs the error, stops its parts in reverse order of their start, and restarts', async () => {
  const { ending, happened } = run()
  ending.add(() => happened.push('journal'))
  ending.add(
    async () => {
      await Promise.resolve()
      happened.push('window')
    },
    () => happened.push('desk'),
  )
  ending.caught('uncaught exception', error)
  expect(ending.isEnding()).toBe(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(happened).toEqual(['log e-1 uncaught exception: Error: planted', 'start again e-1', 'window', 'desk', 'journal', 'exit'])
})

test('after an uncaught error, the app ends within seconds, even if stopping one part hangs and another throws', async () => {
  const { ending, happened } = run()
  ending.add(
    never,
    () => {
      throw new Error('the socket is gone')
    },
    never,
    () => Promise.reject(new Error('the disk is full')),
    never,
    () => happened.push('journal'),
  )
  ending.caught('unhandled rejection', error)
  await vi.advanceTimersByTimeAsync(fewSeconds)
  expect(happened.slice(2)).toEqual([
    'log e-2 while the app ended after an error: Error: the socket is gone',
    'log e-3 while the app ended after an error: Error: the disk is full',
    'journal',
    'exit',
    'kill',
  ])
})

test('after an uncaught error, the app kills its own process if the normal exit hangs or throws', async () => {
  const { ending, happened } = run({
    exit: () => {
      throw new Error('no exit')
    },
  })
  ending.caught('uncaught exception', error)
  await vi.advanceTimersByTimeAsync(fewSeconds)
  expect(happened.slice(2)).toEqual(['log e-2 while the app ended after an error: Error: no exit', 'kill'])
})

test('if a second error occurs while the app ends after a first one, the app logs the second and does not end twice', async () => {
  const { ending, happened } = run()
  ending.add(() => ending.caught('uncaught exception', new Error('second')))
  ending.caught('uncaught exception', error)
  ending.caught('unhandled rejection', new Error('third'))
  await vi.advanceTimersByTimeAsync(0)
  expect(happened.filter((one) => !one.startsWith('log'))).toEqual(['start again e-1', 'exit'])
  expect(happened.filter((one) => one.startsWith('log'))).toHaveLength(3)
})

test('the app logs that an error occurred, even if reading the error’s text throws', async () => {
  const logged: string[] = []
  const { ending } = run({
    log: { error: (reference, what, unread) => logged.push(`${reference} ${what}: ${String(unread)}`) },
  })
  ending.caught('unhandled rejection', {
    toString: () => {
      throw new Error('unreadable')
    },
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(logged).toEqual(['e-1 unhandled rejection: Error: The error cannot be read.'])
})

test('after an uncaught error, the app ends even if it cannot log the error', async () => {
  const { ending, happened } = run({
    log: {
      error: () => {
        throw new Error('an error that throws where it is read')
      },
    },
  })
  ending.caught('uncaught exception', error)
  await vi.advanceTimersByTimeAsync(0)
  expect(happened).toEqual(['start again e-1', 'exit'])
})

test.each([
  { restarted: false, ranMs: minute - 1, again: false },
  { restarted: false, ranMs: minute, again: true },
  { restarted: true, ranMs: 9 * minute, again: false },
  { restarted: true, ranMs: 10 * minute, again: true },
])('the app handles an error after $ranMs ms (restarted after an error before: $restarted); it restarts: $again', async ({ again, ...how }) => {
  const { ending, happened } = run(how)
  ending.caught('uncaught exception', error)
  await vi.advanceTimersByTimeAsync(0)
  expect(happened.slice(1)).toEqual(again ? ['start again e-1', 'exit'] : ['say e-1: Error: planted', 'exit'])
})

test('if the app cannot restart after an error, it tells the user so after all its parts have stopped', async () => {
  const { ending, happened } = run({
    startAgain: () => {
      throw new Error('no program')
    },
  })
  ending.add(() => happened.push('desk'))
  ending.caught('uncaught exception', error)
  await vi.advanceTimersByTimeAsync(0)
  expect(happened.slice(-3)).toEqual(['desk', 'say e-1: Error: planted', 'exit'])
})

test('if an uncaught error occurs while the user closes the app, the app does not restart, but still ends within the time limit', async () => {
  const { ending, happened } = run()
  ending.add(() => happened.push('desk'))
  ending.quits()
  ending.caught('uncaught exception', error)
  ending.caught('uncaught exception', error)
  expect(ending.isEnding()).toBe(false)
  await vi.advanceTimersByTimeAsync(fewSeconds)
  expect(happened).toEqual(['log e-1 uncaught exception: Error: planted', 'log e-2 uncaught exception: Error: planted', 'exit', 'kill'])
})
