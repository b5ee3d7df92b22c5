import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../../e2e/support/gateway/decide-on-full-disk.ts')

test.each(['pause', 'revoke', 'observe'])(
  'what the user decided on a full disk holds after a restart: %s',
  (decision) => {
    const said: unknown = JSON.parse(execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, decision], { encoding: 'utf8' }))
    const stopped = { pause: 'GATEWAY_PAUSED', revoke: 'GATEWAY_TOKEN_UNKNOWN', observe: 'GATEWAY_OBSERVES' }[decision]
    expect(said).toEqual({
      before: 'done',
      journal: 'memory_only',
      'while it is full': stopped,
      // The decision itself is lost with the memory of the app. So every bot is paused until the user resumes it.
      'after a restart': ['GATEWAY_PAUSED', 'GATEWAY_PAUSED'],
      'after a second restart': ['GATEWAY_PAUSED', 'GATEWAY_PAUSED'],
      resumed: 'done',
      'resumed and restarted': 'done',
    })
  },
  120_000,
)

test('a pause on a full disk is stored once there is space, and other bots then run after a restart', () => {
  const said: unknown = JSON.parse(execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, 'freed'], { encoding: 'utf8' }))
  expect(said).toMatchObject({ journal: 'memory_only', 'after a restart': ['GATEWAY_PAUSED', 'done'] })
}, 120_000)
