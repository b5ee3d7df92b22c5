import { expect, test } from 'vitest'
import { type FirstStepsState, nextOf, stepsOf } from './needs-you.tsx'

const both = [false, true]
const states = both.flatMap((connected) =>
  both.flatMap((signedIn) => both.flatMap((hasKey) => both.map((hasOrder): FirstStepsState => ({ connected, signedIn, hasKey, hasOrder })))),
)

test.each(states)('the overview marks exactly those first steps as done that the user has completed: %o', (state) => {
  expect(stepsOf(state).map(({ done }) => done)).toEqual([state.connected, state.signedIn, state.hasKey, state.hasOrder])
})

test('the overview leads a new user step by step to the first order, and skips the sign-in if there is a key', () => {
  const next = (state: Partial<FirstStepsState>) => {
    const steps = stepsOf({ connected: false, signedIn: false, hasKey: false, hasOrder: false, ...state })
    return steps[nextOf(steps)]?.to
  }
  expect(next({})).toBe('connect')
  expect(next({ connected: true })).toBe('sign-in')
  expect(next({ connected: true, signedIn: true })).toBe('keys/new')
  expect(next({ connected: true, signedIn: true, hasKey: true })).toBe('trade')
  expect(next({ connected: true, hasKey: true })).toBe('trade')
  expect(next({ connected: true, signedIn: true, hasKey: true, hasOrder: true })).toBeUndefined()
})
