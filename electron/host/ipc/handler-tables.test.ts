import { expect, test } from 'vitest'
import { fail, ok } from '../../../shared/result.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import { createHandlerTables } from './serve.ts'

const clockOf = (offsetMs: number): Partial<Handlers> => ({ 'app.clock': () => ok({ offsetMs }) })

test('the main process answers calls that need no profile at once, and lets other calls wait until a profile is open', async () => {
  const next = Promise.withResolvers<{ handlers: Partial<Handlers> } | null>()
  let open: { handlers: Partial<Handlers> } | null = { handlers: clockOf(1) }
  const always: Partial<Handlers> = { 'app.health': () => fail({ kind: 'no_profile' }) }
  const tables = createHandlerTables({ always, workspace: { current: () => open, settled: () => next.promise } })
  expect(await tables('app.clock')).toBe(open.handlers)
  open = null
  expect(tables('app.health')).toBe(always)
  const waiting = tables('app.clock')
  const after = { handlers: clockOf(2) }
  next.resolve(after)
  expect(await waiting).toBe(after.handlers)
})

test('the main process has no handler for a call that needs a profile while no profile is open', async () => {
  const tables = createHandlerTables({ always: {}, workspace: { current: () => null, settled: async () => null } })
  expect(await tables('app.clock')).toEqual({})
})
