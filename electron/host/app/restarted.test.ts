import { expect, test } from 'vitest'
import { restartedAfter, restartWords } from './end-on-error.ts'

const reference = 'e-0123abcd'

test('after an error, the app restarts with the error’s reference as an argument, and keeps all other arguments', () => {
  const words = restartWords(['/usr/bin/app', 'main.js', '--user-data-dir=/d', '--restarted-after=e-ffffffff'], reference)
  expect(words).toEqual(['main.js', '--user-data-dir=/d', '--restarted-after=e-0123abcd'])
  expect(restartedAfter(['/usr/bin/app', ...words])).toBe(reference)
})

test.each([[[]], [['--restarted-after']], [['--restarted-after=']], [['--restarted-after=e-0123abcd<b>']], [['--restarted-after=E-0123ABCD']]])(
  'the app treats the arguments %j as a normal start, not as a restart after an error',
  (words) => {
    expect(restartedAfter(['app', ...words])).toBeNull()
  },
)
